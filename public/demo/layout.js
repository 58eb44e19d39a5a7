import './analytics.js'
import { cartCount } from './basket.js'
import { euros } from './catalogue.js'
import { drawing } from './drawings.js'

const header = document.createElement('header')
header.innerHTML = `
  <a class="logo" href="index.html">Lumen <span>&amp;</span> Loom</a>
  <nav aria-label="Shop">
    <a href="category.html?of=lamps">Lamps</a>
    <a href="category.html?of=fabrics">Fabrics</a>
  </nav>
  <form role="search" action="search.html">
    <input name="q" type="search" aria-label="Search" placeholder="Search" required />
  </form>
  <a href="account.html">Account</a>
  <a href="cart.html">Cart <span id="count"></span></a>`
const footer = document.createElement('footer')
footer.textContent =
  'Lumen & Loom is an invented shop. What you do here is recorded by the Spool that serves it.'
document.body.prepend(header)
document.body.append(footer)
showCount()

export function showCount() {
  document.querySelector('#count').textContent = String(cartCount())
}

export function showProducts(list, products) {
  list.innerHTML = products
    .map(
      ({ slug, name, price }) =>
        `<li><a href="product.html?id=${slug}"><div class="picture">${drawing(slug)}</div><b>${name}</b><span>${euros(price)}</span></a></li>`,
    )
    .join('')
}

/** Shows the result of an action to the visitor; `tone` is `good` or `bad`. */
export function showStatus(text, tone = 'good') {
  const status = document.querySelector('[role=status]')
  status.textContent = text
  status.className = tone
}

/** Returns a parameter of the page's URL, or an empty string. */
export function urlParameter(name) {
  return new URLSearchParams(location.search).get(name) ?? ''
}

/** Passes the fields of a submitted form to `handle`, instead of leaving the page. */
export function onSubmit(selector, handle) {
  const form = document.querySelector(selector)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    handle(Object.fromEntries(new FormData(form)))
  })
}
