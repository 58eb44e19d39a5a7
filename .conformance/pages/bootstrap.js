import 'bootstrap/dist/css/bootstrap.css'
import { Tooltip } from 'bootstrap'

document.querySelector('#root').innerHTML = `
  <nav class="navbar bg-body-tertiary px-3"><span class="navbar-brand">Lamps</span></nav>
  <main class="container py-3">
    <div class="alert alert-warning">Only three are left</div>
    <form class="row g-3">
      <div class="col-6"><label class="form-label">Name <input class="form-control" aria-label="Name"></label></div>
      <div class="col-6"><select class="form-select" aria-label="Metal"><option>Brass</option></select></div>
      <div class="form-check form-switch"><input class="form-check-input" type="checkbox" checked id="gift"> <label for="gift">As a gift</label></div>
      <input type="range" class="form-range" value="40" aria-label="Brightness">
    </form>
    <table class="table table-striped"><tr><td>Brass</td><td><span class="badge text-bg-success">in stock</span></td></tr><tr><td>Linen</td><td>on its way</td></tr></table>
    <div class="dropdown d-inline-block"><button class="btn btn-secondary dropdown-toggle" data-bs-toggle="dropdown">Size</button>
      <ul class="dropdown-menu"><li><a class="dropdown-item" href="#small">Small</a></li></ul></div>
    <button class="btn btn-primary" data-bs-toggle="modal" data-bs-target="#order" id="open">Order</button>
    <div class="modal" id="order" tabindex="-1"><div class="modal-dialog"><div class="modal-content">
      <div class="modal-header"><h5 class="modal-title">Order the lamp?</h5><button class="btn-close" aria-label="Close"></button></div>
      <div class="modal-body">It arrives in two days.</div></div></div></div>
  </main>`
Tooltip.getOrCreateInstance('#open', { title: 'Two days', animation: false })
