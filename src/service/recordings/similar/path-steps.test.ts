import { expect, test } from 'vitest'
import { pathSteps, stepsMax, type PathRow } from './path-steps.ts'

function row(second: number, event: string, values: Partial<PathRow> = {}): PathRow {
  const timestamp = `2026-03-04 10:00:${String(second).padStart(2, '0')}.000000`
  return { timestamp, event, url: '', action: '', elements_chain: '', pattern: '', ...values }
}

test('orders pages, clicks, events and errors by time', () => {
  const steps = pathSteps([
    row(9, 'purchase_completed'),
    row(1, '$pageview', { url: 'https://shop.example/?utm_source=mail' }),
    row(2, '$autocapture', {
      action: 'click',
      elements_chain: 'button.primary:attr__class="a;b"nth-child="1"text="Add to cart";div:text="no"',
    }),
    row(3, '$autocapture', { action: 'change', elements_chain: 'input:attr__name="email"nth-child="2"' }),
    row(4, 'console', { pattern: 'TypeError: # is no price' }),
    row(5, '$rageclick', { elements_chain: 'a:attr__href="/cart"' }),
  ])
  expect(steps).toEqual([
    'page /',
    'click button "Add to cart"',
    'change input "email"',
    'error TypeError: # is no price',
    'rage click a "/cart"',
    'event purchase_completed',
  ])
})

test('replaces ids in URLs and keeps names', () => {
  const page = (url: string) => pathSteps([row(1, 'page', { url })])[0]
  expect(page('/products/12')).toBe('page /products/:id')
  expect(page('https://a.example/orders/0195f1d0-5b6e-7c3a-9f00-aabbccddeeff/edit?x=1#y')).toBe(
    'page /orders/:id/edit',
  )
  expect(page('https://a.example')).toBe('page /')
  expect(page('/lamps/arc-2')).toBe('page /lamps/arc-2')
})

test('merges consecutive repeats and ignores internal events of the client', () => {
  const steps = pathSteps([
    row(1, 'page', { url: '/' }),
    row(1, '$pageview', { url: '/' }),
    row(2, '$web_vitals'),
    row(3, '$pageleave'),
  ])
  expect(steps).toEqual(['page /'])
})

test('keeps the first steps of a long session', () => {
  const rows = Array.from({ length: stepsMax + 50 }, (_, index) => row(0, `step ${index}`))
  expect(pathSteps(rows)).toHaveLength(stepsMax)
})
