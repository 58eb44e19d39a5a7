import { capture } from './analytics.js'
import { addToCart } from './basket.js'
import { euros, productOf, products } from './catalogue.js'
import { drawing } from './drawings.js'
import { onSubmit, showStatus, showCount, showProducts, slugOfPage } from './layout.js'

const product = productOf(slugOfPage()) ?? products[0]
const { slug, name, price, category, about } = product

document.title = `${name} – Lumen & Loom`
document.querySelector('#picture').innerHTML = drawing(slug)
document.querySelector('#name').textContent = name
document.querySelector('#price').textContent = euros(price)
document.querySelector('#about').textContent = about
showProducts(
  document.querySelector('#others'),
  products.filter((other) => other.category !== category).slice(0, 3),
)
capture('product_viewed', { product_id: slug, product_name: name, category, price })

onSubmit('#buy', ({ quantity }) => {
  addToCart(slug, Number(quantity))
  showCount()
  capture('added_to_cart', { product_id: slug, price, quantity: Number(quantity) })
  showStatus(`${name} is in your cart.`)
})
