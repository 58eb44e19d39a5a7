import { describe, expect, test } from 'vitest'
import { EventType, IncrementalSource, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import {
  button,
  captured,
  change,
  click,
  consoleError,
  element,
  eventAt,
  input,
  move,
  page,
  request,
  scroll,
  summaryOf,
  text,
  texts,
} from '../../testing/test-session.ts'

const form = element(
  20,
  'form',
  {},
  element(21, 'input', { placeholder: 'Email' }),
  element(22, 'input', { placeholder: 'City' }),
  element(23, 'input', { type: 'checkbox', name: 'terms' }),
  button(24, 'Send'),
  button(25, 'Show password', { type: 'button' }),
)
const url = 'https://shop.example'
const start = page(0, `${url}/`, 'Shop', [form, button(10, 'Help')])

describe('forms', () => {
  const typing = [input(2, 21, 'a'), input(3, 21, 'ada'), input(5, 22, 'Lon'), input(6, 23, 'on')]

  test('that are submitted by their button are reported once with their fields', () => {
    const summary = summaryOf([
      ...start,
      ...typing,
      click(7, 25),
      click(8, 24),
      change(8.2),
      ...page(9, `${url}/done`, 'Done'),
    ])
    expect(texts(summary, 'typed')).toEqual(['Filled in “Email”.', 'Filled in “City”.'])
    expect(texts(summary, 'submitted')).toEqual(['Submitted “Email” and “City” with “Send”.'])
    expect(texts(summary, 'abandoned_form')).toEqual([])
    expect(summary.segments[0]).toMatchObject({ keypresses: 4, clicks: 2 })
  })

  test('that are submitted with Enter need no click', () => {
    const summary = summaryOf([...start, ...typing, ...page(7, `${url}/done`, 'Done')])
    expect(texts(summary, 'submitted')).toEqual(['Submitted “Email” and “City” with Enter.'])
    const reported = summaryOf([...start, ...typing, change(7), move(60)], {
      captured: [captured(6.5, '$autocapture', { type: 'submit' })],
    })
    expect(texts(reported, 'submitted')).toHaveLength(1)
    expect(texts(reported, 'abandoned_form')).toEqual([])
  })

  test('that are left, or still open at the end, are abandoned', () => {
    const left = summaryOf([
      ...start,
      ...typing,
      click(30, 10),
      change(30.1),
      ...page(40, `${url}/other`, 'Other'),
    ])
    expect(texts(left, 'abandoned_form')).toEqual(['“Email” and “City” were filled in but never submitted.'])
    expect(texts(summaryOf([...start, ...typing, move(60)]), 'abandoned_form')).toHaveLength(1)
    expect(texts(summaryOf([...start, ...typing, move(60)], { ongoing: true }), 'abandoned_form')).toEqual([])
  })

  test('that only search, or that are emptied again, are not abandoned', () => {
    const search = element(30, 'input', { placeholder: 'Search products' })
    const summary = summaryOf([...page(0, url, 'Shop', [search]), input(2, 30, 'lamp'), move(60)])
    expect(texts(summary, 'abandoned_form')).toEqual([])
    expect(texts(summaryOf([...start, input(2, 21, ''), move(60)]), 'typed')).toEqual([])
  })
})

describe('pages', () => {
  test('are named by their titles without the site’s name, or by their paths if titles are not distinctive', () => {
    const titled = summaryOf([
      ...page(0, `${url}/`, 'Home | Shop'),
      ...page(5, `${url}/lamps/brass?ref=mail#top`, 'Brass lamp | Shop'),
      ...page(9, `${url}/orders/8812345`, ''),
    ])
    expect(titled.segments.map(({ name, url, start, end }) => [name, url, start, end])).toEqual([
      ['Home', 'shop.example/', 0, 5],
      ['Brass lamp', 'shop.example/lamps/brass', 5, 9],
      ['/orders/…', 'shop.example/orders/…', 9, 9],
    ])
    const untitled = summaryOf([...page(0, `${url}/`, 'Shop'), ...page(5, `${url}/#/basket?x=1`, 'Shop')])
    expect(untitled.segments.map(({ name }) => name)).toEqual(['Home page', '/basket'])
  })

  test('of a single-page app change with pageviews, not with a snapshot in between', () => {
    const view = (at: number, path: string) =>
      eventAt(at, EventType.Custom, { tag: '$pageview', payload: { href: url + path } })
    const summary = summaryOf([
      ...start,
      view(0.1, '/'),
      click(4, 10),
      view(4.2, '/help'),
      change(4.3, 'Help', 4),
      move(6),
      ...page(300, `${url}/help`, 'Help'),
    ])
    expect(summary.segments.map(({ name }) => name)).toEqual(['Shop', 'Help'])
  })

  test('of a mobile app are its screens, with taps counted as clicks', () => {
    const screen = (at: number, href: string) => [
      eventAt(at, EventType.Meta, { href, width: 400, height: 800 }),
      eventAt(at, EventType.FullSnapshot, {
        wireframes: [{ id: 3, type: 'text', text: 'Hello' }],
        initialOffset: { top: 0, left: 0 },
      }),
    ]
    const tap = eventAt(3, EventType.IncrementalSnapshot, {
      source: IncrementalSource.MouseInteraction,
      type: MouseInteractions.TouchEnd,
      id: 3,
      x: 5,
      y: 5,
    })
    const summary = summaryOf([...screen(0, 'Start'), tap, ...screen(20, 'Settings')], { isMobile: true })
    expect(summary.segments.map(({ name, clicks }) => [name, clicks])).toEqual([
      ['Start', 1],
      ['Settings', 0],
    ])
    expect(summary.problems).toEqual([])
  })

  test('of an app that reports its screens have the names that it reports', () => {
    const size = eventAt(0, EventType.Meta, { href: 'MainActivity', width: 400, height: 800 }, 'session')
    const later = eventAt(30, EventType.Meta, { href: 'MainActivity', width: 800, height: 400 }, 'session')
    const shown = [captured(0.1, '$screen', { window: 'session', screen: 'Start' })]
    shown.push(captured(20, '$screen', { window: 'session', screen: 'Checkout' }))
    const summary = summaryOf([size, later], { isMobile: true, captured: shown })
    expect(summary.segments.map(({ name }) => name)).toEqual(['MainActivity', 'Start', 'Checkout'])
  })

  test('in two tabs follow the person from one to the other', () => {
    const second = page(5, `${url}/terms`, 'Terms', [button(11, 'Print')], 'w2')
    const summary = summaryOf([...start, ...second, click(7, 11, [0, 0], 'w2'), click(9, 10), change(9.1)])
    expect(summary.segments.map(({ name }) => name)).toEqual(['Shop', 'Terms', 'Shop'])
    expect(summary.sentences[0]?.text).toContain('two tabs')
  })
})

test("names what a person tapped on an app's screen, after changes as well", () => {
  const place = { x: 0, y: 0, width: 400, height: 800 }
  const pay = {
    id: 5,
    x: 20,
    y: 100,
    width: 360,
    height: 40,
    type: 'input',
    inputType: 'button',
    value: 'Pay',
  }
  const wireframes = [{ ...place, id: 4, type: 'div', childWireframes: [pay] }]
  const tap = (at: number, y: number) =>
    eventAt(at, EventType.IncrementalSnapshot, {
      source: IncrementalSource.MouseInteraction,
      type: MouseInteractions.TouchEnd,
      id: 0,
      x: 30,
      y,
    })
  const changed = eventAt(3, EventType.IncrementalSnapshot, {
    source: IncrementalSource.Mutation,
    updates: [{ parentId: 4, wireframe: { ...pay, value: 'Pay now' } }],
    adds: [{ wireframe: { ...pay, id: 6, y: 200, inputType: 'checkbox', label: 'As a gift' } }],
    removes: [{ id: 99 }],
  })
  const screen = eventAt(0, EventType.FullSnapshot, { wireframes })
  const summary = summaryOf([screen, tap(2, 120), changed, tap(5, 120), tap(7, 220), tap(9, 700)], {
    isMobile: true,
  })
  expect(texts(summary, 'click')).toEqual(['Clicked “Pay”.', 'Clicked “Pay now”.', 'Clicked “As a gift”.'])
})

describe('reports', () => {
  test('a pause of more than thirty seconds', () => {
    const summary = summaryOf([...start, move(10), change(20), move(39), scroll(160, 10)])
    expect(texts(summary, 'idle')).toEqual(['No activity for 2 min 1 s.'])
  })

  test('console errors, grouped, without URL queries and email addresses', () => {
    const failed = 'cannot load https://api.example/v1/me?token=secret for ada@example.com'
    const summary = summaryOf([
      ...start,
      consoleError(2, failed),
      consoleError(4, failed),
      consoleError(5, 'other'),
    ])
    expect(texts(summary, 'console_error')).toEqual([
      'The console logged an error twice: cannot load https://api.example/v1/me for …',
      'The console logged an error: other.',
    ])
  })

  test('failed requests, with the preceding click', () => {
    const events = [
      click(5, 10),
      request(6, 'post', `${url}/api/orders/8812345?key=secret`, 500),
      request(20, 'GET', `${url}/api/x`, 0),
      request(21, 'GET', `${url}/api/y`, 204),
    ]
    expect(texts(summaryOf([...start, ...events]), 'failed_request')).toEqual([
      'POST /api/orders/… returned 500 after clicking “Help”.',
      'GET /api/x got no response.',
    ])
  })

  test('exceptions once, even if the console logs them too', () => {
    const summary = summaryOf([...start, consoleError(5, 'Uncaught TypeError: cart is undefined'), move(9)], {
      captured: [captured(5.1, '$exception', { message: 'TypeError cart is undefined' })],
    })
    expect(summary.problems.map(({ text }) => text)).toEqual([
      'The page ran into an error: TypeError cart is undefined.',
    ])
  })

  test('custom events, with their cause', () => {
    const summary = summaryOf([...start, click(5, 10), change(5.2), move(8)], {
      captured: [captured(5.1, 'help_opened')],
    })
    expect(texts(summary, 'event')).toEqual(['The site recorded “help_opened”.'])
    expect(summary.sentences[1]?.text).toBe('On “Shop” they clicked “Help” (recorded as “help_opened”).')
  })
})

test('contains nothing typed, even if the page repeats it', () => {
  const secret = 'Ada Lovelace'
  const typed = [...'Ada Lovelace'].map((_, index) => input(2 + index / 10, 21, secret.slice(0, index + 1)))
  const summary = summaryOf([
    ...start,
    ...typed,
    click(5, 24),
    ...page(6, `${url}/found/Ada%20Lovelace?q=Ada+Lovelace`, `Results for ${secret}`, [
      button(40, `Remove ${secret}`),
      element(41, 'p', {}, text(42, secret)),
    ]),
    click(8, 40),
    change(8.1),
    consoleError(9, `no such person: ADA LOVELACE`),
    ...page(10, `${url}/end`, 'End'),
  ])
  expect(JSON.stringify(summary)).not.toMatch(/lovelace/i)
  expect(texts(summary, 'page')[1]).toBe('Opened “Results for …”.')
  expect(texts(summary, 'click')[1]).toBe('Clicked “Remove …”.')
})

test('keeps words that the page showed before they were typed', () => {
  const search = element(30, 'input', { placeholder: 'Search' })
  const lamps = page(0, url, 'Shop', [search, element(31, 'h2', {}, text(32, 'Lamps'))])
  const summary = summaryOf([
    ...lamps,
    input(2, 30, 'lam'),
    input(3, 30, 'lamp'),
    ...page(6, `${url}/brass`, 'Brass lamp'),
  ])
  expect(summary.segments[1]?.name).toBe('Brass lamp')
})

test('removes a long typed text even if the page cuts it off', () => {
  const secret = 'a confession of many words that nobody else should ever read, least of all here'
  const shown = button(40, `${'x'.repeat(200)} ${secret} and more`)
  const cut = button(41, `Remove ${secret.slice(0, 50)}…`)
  const summary = summaryOf([
    ...start,
    input(2, 21, secret),
    ...page(6, url, 'P', [shown, cut]),
    click(8, 40),
    click(9, 41),
  ])
  expect(JSON.stringify(summary)).not.toMatch(/confession|many words|nobody/)
  expect(texts(summary, 'click')[1]).toBe('Clicked “Remove …”.')
})
