import { capture } from './analytics.js'
import { products } from './catalogue.js'
import { urlParameter, showProducts } from './layout.js'

const query = urlParameter('q')
const found = products.filter(({ name, about }) =>
  `${name} ${about}`.toLowerCase().includes(query.toLowerCase()),
)

document.querySelector('#title').textContent = `Results for “${query}”`
document.querySelector('#none').hidden = found.length > 0
showProducts(document.querySelector('#products'), found)
capture('searched', { query, results: found.length })
