import { urlParameter } from './layout.js'

document.querySelector('#order').textContent = urlParameter('order')
