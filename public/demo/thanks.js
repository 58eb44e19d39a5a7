import { asked } from './layout.js'

document.querySelector('#order').textContent = asked('order')
