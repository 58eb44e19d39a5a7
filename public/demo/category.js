import { capture } from './analytics.js'
import { products } from './catalogue.js'
import { showProducts, slugOfPage } from './layout.js'

const category = slugOfPage() === 'fabrics' ? 'fabrics' : 'lamps'
const orders = {
  liked: () => 0,
  cheap: (a, b) => a.price - b.price,
  dear: (a, b) => b.price - a.price,
}
const sort = document.querySelector('#sort')

const title = category === 'lamps' ? 'Lamps' : 'Fabrics'
document.title = `${title} – Lumen & Loom`
document.querySelector('#title').textContent = title
show()
sort.addEventListener('change', () => {
  show()
  capture('category_sorted', { category, order: sort.value })
})

function show() {
  const chosen = products.filter((product) => product.category === category)
  showProducts(document.querySelector('#products'), chosen.toSorted(orders[sort.value]))
}
