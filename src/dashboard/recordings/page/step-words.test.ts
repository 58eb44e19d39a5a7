import { expect, test } from 'vitest'
import { stepInWords } from './step-words.ts'

test.each([
  ['page /', 'opened Home'],
  ['page /products/:id', 'opened /products/:id'],
  ['click button "Add to cart"', 'clicked “Add to cart”'],
  ['click a', 'clicked a link'],
  ['click div', 'clicked the page'],
  ['rage click a "/cart"', 'clicked “/cart” again and again'],
  ['dead click button "Buy"', 'clicked “Buy” without effect'],
  ['change input "code"', 'filled in “code”'],
  ['change select "size"', 'chose in “size”'],
  ['submit form "buy"', 'submitted “buy”'],
  ['submit form', 'submitted a form'],
  ['copy p "Price: "', 'used “Price: ”'],
  ['event added to cart', 'recorded “added to cart”'],
  ['error TypeError: # is no price', 'error “TypeError: … is no price”'],
])('describes %s as %s', (step, words) => {
  expect(stepInWords(step)).toBe(words)
})
