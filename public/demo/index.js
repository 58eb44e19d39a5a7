import { capture, identify } from './analytics.js'
import { products } from './catalogue.js'
import { drawing } from './drawings.js'
import { onSubmit, showStatus, showProducts } from './layout.js'

const hero = document.querySelector('[data-drawing]')
hero.innerHTML = drawing(hero.dataset.drawing)
showProducts(document.querySelector('#favourites'), products.slice(0, 4))

onSubmit('#newsletter', ({ email }) => {
  identify(email)
  capture('newsletter_signup')
  showStatus('Thank you. The next letter leaves on the first of the month.')
})
