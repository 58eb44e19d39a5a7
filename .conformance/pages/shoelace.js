import '@shoelace-style/shoelace/dist/themes/light.css'
import '@shoelace-style/shoelace/dist/components/alert/alert.js'
import '@shoelace-style/shoelace/dist/components/button/button.js'
import '@shoelace-style/shoelace/dist/components/checkbox/checkbox.js'
import '@shoelace-style/shoelace/dist/components/dialog/dialog.js'
import '@shoelace-style/shoelace/dist/components/input/input.js'
import '@shoelace-style/shoelace/dist/components/range/range.js'
import '@shoelace-style/shoelace/dist/components/rating/rating.js'
import '@shoelace-style/shoelace/dist/components/switch/switch.js'
import '@shoelace-style/shoelace/dist/components/tab-group/tab-group.js'

document.querySelector('#root').innerHTML = `
  <sl-tab-group><sl-tab slot="nav" panel="lamps">Lamps</sl-tab><sl-tab slot="nav" panel="shades">Shades</sl-tab>
    <sl-tab-panel name="lamps">Brass and linen</sl-tab-panel></sl-tab-group>
  <sl-alert open variant="warning">Only three are left</sl-alert><br>
  <sl-input label="Name"></sl-input><br>
  <sl-checkbox checked>As a gift</sl-checkbox> <sl-switch checked>Express</sl-switch>
  <sl-range label="Brightness" value="40"></sl-range> <sl-rating value="3"></sl-rating><br>
  <sl-button variant="primary">Order</sl-button>
  <sl-dialog label="Order the lamp?">It arrives in two days. <sl-button slot="footer">Yes</sl-button></sl-dialog>`
document
  .querySelector('sl-button')
  .addEventListener('click', () => document.querySelector('sl-dialog').show())
