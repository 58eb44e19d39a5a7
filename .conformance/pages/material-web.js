import '@material/web/button/filled-button.js'
import '@material/web/button/text-button.js'
import '@material/web/checkbox/checkbox.js'
import '@material/web/dialog/dialog.js'
import '@material/web/progress/linear-progress.js'
import '@material/web/radio/radio.js'
import '@material/web/slider/slider.js'
import '@material/web/switch/switch.js'
import '@material/web/tabs/primary-tab.js'
import '@material/web/tabs/tabs.js'
import '@material/web/textfield/outlined-text-field.js'

document.querySelector('#root').innerHTML = `
  <md-tabs><md-primary-tab active>Lamps</md-primary-tab><md-primary-tab>Shades</md-primary-tab></md-tabs><br>
  <md-outlined-text-field label="Name"></md-outlined-text-field>
  <p><md-checkbox checked></md-checkbox> <md-radio checked></md-radio> <md-switch selected></md-switch></p>
  <md-slider value="40"></md-slider>
  <md-linear-progress value="0.4"></md-linear-progress>
  <p><md-filled-button id="open">Order</md-filled-button></p>
  <md-dialog><div slot="headline">Order the lamp?</div><div slot="content">It arrives in two days.</div>
    <div slot="actions"><md-text-button>Yes</md-text-button></div></md-dialog>`
document.querySelector('#open').addEventListener('click', () => document.querySelector('md-dialog').show())
