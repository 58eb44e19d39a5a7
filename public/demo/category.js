import { capture } from './analytics.js'
import { products } from './catalogue.js'
import { urlParameter, showProducts } from './layout.js'

const category = urlParameter('of') === 'fabrics' ? 'fabrics' : 'lamps'
const orders = {
  liked: () => 0,
  cheap: (a, b) => a.price - b.price,
  dear: (a, b) => b.price - a.price,
}
const sort = document.querySelector('#sort')

document.querySelector('#title').textContent = category === 'lamps' ? 'Lamps' : 'Fabrics'
show()
sort.addEventListener('change', () => {
  show()
  capture('category_sorted', { category, order: sort.value })
})

function show() {
  const chosen = products.filter((product) => product.category === category)
  showProducts(document.querySelector('#products'), chosen.toSorted(orders[sort.value]))
}
