import { cartLines, cartTotal, removeFromCart } from './basket.js'
import { euros } from './catalogue.js'
import { drawing } from './drawings.js'
import { onSubmit, showStatus, showCount } from './layout.js'

const slowMs = 8000
const coupons = new Map()

show()
document.querySelector('#lines').addEventListener('click', ({ target }) => {
  if (!target.dataset.slug) return
  removeFromCart(target.dataset.slug)
  showCount()
  show()
})

// Broken on purpose: no coupon exists, and the code does not check for that.
onSubmit('#coupon', ({ code }) => {
  try {
    showStatus(`${coupons.get(code).percent} % off.`)
  } catch (error) {
    console.error(`Coupon ${code} rejected: ${String(error)}`)
    showStatus('This did not work. Please try again.', 'bad')
  }
})

// Broken on purpose: the carrier's URL no longer exists, and the page waits before reporting that.
onSubmit('#shipping', async ({ postcode }) => {
  showStatus('Asking the carrier …')
  const { status } = await fetch(`carrier/rates?postcode=${encodeURIComponent(postcode)}`)
  console.warn(`The carrier answered ${status}, trying again`)
  setTimeout(() => showStatus('The carrier does not answer. Delivery is worked out later.', 'bad'), slowMs)
})

function show() {
  const lines = cartLines()
  document.querySelector('#empty').hidden = lines.length > 0
  document.querySelector('#filled').hidden = lines.length === 0
  document.querySelector('#total').textContent = euros(cartTotal())
  document.querySelector('#lines').innerHTML = lines
    .map(
      ({ slug, name, price, quantity }) =>
        `<li><div class="picture">${drawing(slug)}</div><div><b>${name}</b><span>${quantity} × ${euros(price)}</span></div>
        <button class="quiet" data-slug="${slug}" aria-label="Remove ${name}">Remove</button></li>`,
    )
    .join('')
}
