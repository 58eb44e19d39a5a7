import { capture, identify } from './analytics.js'
import { cartCount, cartTotal, emptyCart } from './basket.js'
import { euros } from './catalogue.js'
import { onSubmit } from './layout.js'

const payMs = 800
const value = cartTotal()
const items = cartCount()

document.querySelector('#total').textContent = euros(value)
capture('checkout_started', { items, value, currency: 'EUR' })

onSubmit('#checkout', ({ email, name }) => {
  const order = `LL-${String(Math.floor(Date.now() / 1000) % 1_000_000).padStart(6, '0')}`
  identify(email, name)
  capture('purchase_completed', { order_id: order, items, revenue: value, currency: 'EUR' })
  emptyCart()
  document.querySelector('#checkout button').textContent = 'Paying …'
  setTimeout(() => location.assign(`thanks.html?order=${order}`), payMs)
})
