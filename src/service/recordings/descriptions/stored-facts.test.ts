import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { stripBits } from '../../../contract/recordings/recording-facts.ts'
import {
  button,
  captured,
  change,
  click,
  consoleError,
  element,
  factsFrom,
  input,
  move,
  page,
  request,
} from '../../testing/test-session.ts'
import { readSessionEvent } from '../../snapshots/unpack-event.ts'
import { pageLabel } from './stored-facts.ts'

const url = 'https://shop.example'
const coupon = element(20, 'form', {}, element(21, 'input', { placeholder: 'Coupon' }), button(22, 'Apply'))
const cart = [
  ...page(0, `${url}/?from=mail`, 'Lamplight'),
  ...page(10, `${url}/products/brass-lamp`, 'Brass lamp | Lamplight'),
  ...page(20, `${url}/cart`, 'Cart | Lamplight', [coupon]),
]

describe('a recording', () => {
  test('has its pages in order, by short names and without queries', () => {
    const { pages, page_count } = factsFrom(cart)
    expect([pages, page_count]).toEqual([
      [
        { label: 'Home', url: 'shop.example/', at: 0 },
        { label: 'Brass lamp', url: 'shop.example/products/brass-lamp', at: 10_000 },
        { label: 'Cart', url: 'shop.example/cart', at: 20_000 },
      ],
      3,
    ])
  })

  test('ends as completed, as left at a field or page, or with an error', () => {
    const paid = [...cart, ...page(30, `${url}/thanks`, 'Thank you')]
    const typed = [...cart, input(25, 21, 'SPRING'), move(40)]
    const failed = [
      ...typed,
      click(41, 22),
      request(41.5, 'POST', `${url}/coupons`, 500),
      change(41.6),
      move(45),
    ]
    expect([paid, typed, cart, failed].map((events) => factsFrom(events).outcome)).toEqual([
      { kind: 'completed', label: 'Thank you', at: 30_000 },
      { kind: 'left', label: 'Coupon', at: 25_000 },
      { kind: 'left', label: 'Cart', at: 20_000 },
      { kind: 'error', label: 'POST /coupons returned 500', at: 41_500 },
    ])
    expect([paid, typed].map((events) => factsFrom(events).left_form)).toEqual([false, true])
  })

  test('names each problem once, and the most telling moment', () => {
    const rage = [30, 30.2, 30.4].map((at) => click(at, 22))
    const events = [
      ...cart,
      consoleError(21, 'lamp is off'),
      ...rage,
      consoleError(32, 'lamp is off'),
      move(60),
    ]
    const { problems, moment, rage_click_count, outcome } = factsFrom(events)
    expect(problems).toEqual([
      { kind: 'error', label: 'lamp is off', at: 21_000 },
      { kind: 'rage', label: 'Apply', at: 30_000 },
    ])
    expect([moment, rage_click_count, outcome.label]).toEqual([30_000, 1, 'rage clicks on Apply'])
  })

  test('to an app has screens instead of pages', () => {
    const screens = ['Home', 'Orders'].map((screen, index) => captured(index * 10, '$screen', { screen }))
    const { pages, outcome } = factsFrom([move(0), move(5), move(20)], { captured: screens, isMobile: true })
    expect(pages.map(({ label, url, at }) => [label, url, at])).toEqual([
      ['Home', 'Home', 0],
      ['Orders', 'Orders', 10_000],
    ])
    expect(outcome).toMatchObject({ kind: 'left', label: 'Orders' })
  })
})

describe('the time of a recording', () => {
  test('is shown by a strip, slice by slice', () => {
    const events = [...cart, click(24, 22), consoleError(36, 'lamp is off'), move(47.9), move(48)]
    const { active, page: opened, click: clicked, error } = stripBits
    const shown = factsFrom(events).strip.flatMap((slice, index) => (slice === 0 ? [] : [[index, slice]]))
    expect(shown).toEqual([
      [0, active],
      [10, active | opened],
      [20, active | opened],
      [21, active],
      [22, active],
      [23, active],
      [24, active | clicked],
      [36, active | error],
      [47, active],
    ])
  })

  test('is spent on pages', () => {
    const events = [...cart, move(23), move(26), move(29)]
    expect(factsFrom(events).time).toEqual([
      { label: 'Cart', url: 'shop.example/cart', at: 20_000, active: 9000 },
      { label: 'Home', url: 'shop.example/', at: 0, active: 0 },
      { label: 'Brass lamp', url: 'shop.example/products/brass-lamp', at: 10_000, active: 0 },
    ])
  })
})

test('labels a page by its title or path, without ids and addresses', () => {
  const label = (path: string, name = path) => pageLabel({ path }, name)
  expect([
    label('/', 'Welcome to the shop'),
    label('/help/delivery_times.html'),
    label('/orders/…'),
    label('/…'),
    label('', 'A page'),
    label('/me', 'Orders of ada@shop.example – Account'),
    label('/long', 'A very long title that nobody would want to read in a table'),
  ]).toEqual([
    'Home',
    'Delivery times',
    'Orders',
    'Page',
    'Page',
    'Orders of …',
    'A very long title that nobody would wan…',
  ])
})

test('describes a session recorded from posthog-js in a browser', async () => {
  const file = await readFile(new URL('../facts/recorded-session.jsonl.gz', import.meta.url))
  const lines = gunzipSync(file).toString('utf8').split('\n')
  const events = lines
    .flatMap((line) => readSessionEvent(line) ?? [])
    .toSorted((a, b) => a.timestamp - b.timestamp)
  const facts = factsFrom(events)
  expect(facts.pages.map(({ label }) => label)).toEqual([
    'Home',
    'Brass lamp',
    'Linen',
    'Checkout',
    'Thank you',
  ])
  expect(facts.outcome).toMatchObject({ kind: 'completed', label: 'Thank you' })
  expect(facts.problems.map(({ kind, label }) => `${kind}: ${label}`)).toEqual([
    'rage: Pay now',
    'error: payment failed {"code":500}',
  ])
  expect(facts.moment).toBe(facts.problems[0]?.at)
})
