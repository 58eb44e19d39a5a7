import { capture } from './analytics.js'
import { guides } from './guide-texts.js'
import { guideList, slugOfPage } from './layout.js'

const index = Math.max(
  guides.findIndex(({ slug }) => slug === slugOfPage()),
  0,
)
const { slug, title, text } = guides[index]

document.title = `${title} – Lumen & Loom`
document.querySelector('#title').textContent = title
document.querySelector('#text').textContent = text
document.querySelector('#next').innerHTML = guideList([1, 2, 3].map((step) => guides.at(index - step)))
capture('guide_read', { guide: slug })
