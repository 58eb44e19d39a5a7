import { productOf } from './catalogue.js'

const key = 'lumen-and-loom-cart'

/** Returns the products in the cart with their quantities. */
export function cartLines() {
  return Object.entries(quantities()).map(([slug, quantity]) => ({ ...productOf(slug), quantity }))
}

export function cartTotal() {
  return cartLines().reduce((sum, { price, quantity }) => sum + price * quantity, 0)
}

export function cartCount() {
  return cartLines().reduce((sum, { quantity }) => sum + quantity, 0)
}

export function addToCart(slug, quantity) {
  const before = quantities()
  save({ ...before, [slug]: (before[slug] ?? 0) + quantity })
}

export function removeFromCart(slug) {
  const { [slug]: _, ...rest } = quantities()
  save(rest)
}

export function emptyCart() {
  save({})
}

function quantities() {
  return JSON.parse(localStorage.getItem(key) ?? '{}')
}

function save(quantities) {
  localStorage.setItem(key, JSON.stringify(quantities))
}
