import { describe, expect, test } from 'vitest'
import { IncrementalSource, NodeType } from '../../../replay/recorded/rrweb.ts'
import {
  button,
  captured,
  change,
  click,
  element,
  input,
  move,
  page,
  request,
  scroll,
  summaryOf,
  text,
  texts,
} from '../../testing/test-session.ts'

const nodes = [
  button(10, 'Pay'),
  button(11, '+'),
  element(12, 'a', { href: '/x', target: '_blank' }, text(13, 'Terms')),
  element(14, 'input', { name: 'email' }),
]
const shop = page(0, 'https://shop.example/', 'Shop', nodes)
const shopSummary = (...events: Parameters<typeof summaryOf>[0]) => summaryOf([...shop, ...events])

describe('rage clicks', () => {
  const times = [5, 5.3, 5.6, 5.9, 6.7]

  test('are three or more within a second, reported once with count and duration', () => {
    const summary = shopSummary(...times.map((at) => click(at, 10)), change(7))
    expect(texts(summary, 'rage_click')).toEqual(['Clicked “Pay” five times in 2 s.'])
    expect(summary.problems.map(({ text }) => text)).toEqual(['Clicked “Pay” five times in 2 s.'])
  })

  test('need not be in the same place if the button moved', () => {
    const summary = shopSummary(
      click(5, 10, [10, 10]),
      click(5.3, 10, [10, 90]),
      click(5.6, 10, [10, 90]),
      change(6),
    )
    expect(texts(summary, 'rage_click')).toHaveLength(1)
  })

  test('are not slow clicks, clicks far apart, or clicks on a stepper', () => {
    const slow = [5, 5.6, 6.2, 6.8].flatMap((at) => [click(at, 10), change(at + 0.1)])
    const apart = [click(9, 10, [0, 0]), click(9.2, 6, [300, 0]), click(9.4, 10, [0, 300]), change(9.5)]
    const stepper = [20, 20.2, 20.4, 20.6].flatMap((at) => [click(at, 11), change(at + 0.1)])
    expect(texts(shopSummary(...slow, ...apart, ...stepper), 'rage_click')).toEqual([])
  })

  test('are reported once even if posthog-js reports them too', () => {
    const events = [...shop, ...times.map((at) => click(at, 10)), change(7)]
    const reported = summaryOf(events, { captured: [captured(30, '$rageclick', { element: 'Buy' })] })
    expect(texts(reported, 'rage_click')).toHaveLength(2)
    expect(texts(summaryOf(events, { captured: [captured(7, '$rageclick')] }), 'rage_click')).toHaveLength(1)
  })
})

describe('a dead click', () => {
  test('is a click on a button without any effect within 2.5 s', () => {
    expect(texts(shopSummary(click(5, 10), move(8)), 'dead_click')).toEqual([
      'Nothing happened after clicking “Pay”.',
    ])
    expect(texts(shopSummary(click(5, 10), click(8, 10), move(11)), 'dead_click')).toEqual([
      'Nothing happened after clicking “Pay” twice.',
    ])
    expect(texts(shopSummary(click(5, 10), scroll(9, 400), change(10)), 'dead_click')).toHaveLength(1)
  })

  test.each([
    ['the page changes', [click(5, 10), change(7.4), move(9)]],
    ['another page opens', [click(5, 10), ...page(6, 'https://shop.example/b', 'B'), move(9)]],
    ['the page scrolls', [click(5, 10), scroll(5.5, 300), move(9)]],
    ['a request goes out', [click(5, 10), request(6, 'POST', 'https://shop.example/api', 200), move(9)]],
    ['the recording ends too soon', [click(5, 10), move(6)]],
    ['a link opens a new tab', [click(5, 13), move(9)]],
    ['the target is a field', [click(5, 14), move(9)]],
    ['the target is text', [click(5, 6), move(9)]],
    ['the person types immediately', [click(5, 10), input(6, 14, 'a'), move(9)]],
  ])('is not reported when %s', (_, events) => {
    expect(texts(shopSummary(...events), 'dead_click')).toEqual([])
  })

  test('is also reported by posthog-js', () => {
    const summary = summaryOf([...shop, move(9)], {
      captured: [captured(5, '$dead_click', { element: 'Apply' })],
    })
    expect(texts(summary, 'dead_click')).toEqual(['Nothing happened after clicking “Apply”.'])
  })
})

describe('a long wait', () => {
  test('is a click with an effect after four seconds or more, and not a dead click', () => {
    const summary = shopSummary(click(5, 10), move(8), change(11))
    expect(texts(summary, 'long_wait')).toEqual(['Nothing changed for 6 s after clicking “Pay”.'])
    expect(texts(summary, 'dead_click')).toEqual([])
    expect(texts(shopSummary(click(5, 10), change(8.9)), 'long_wait')).toEqual([])
    expect(texts(shopSummary(click(5, 6), change(11)), 'long_wait')).toEqual([])
  })

  test('is a page that stays blank for as long', () => {
    const [opened, snapshot] = page(10, 'https://shop.example/b', 'B')
    const empty = { id: 1, type: NodeType.Document, childNodes: [element(2, 'div', { id: 'root' })] }
    if (!opened || !snapshot) throw new Error('a page has two events')
    const blank = { ...snapshot, data: { node: empty } }
    const adds = [{ parentId: 2, nextId: null, node: text(3, 'At last there is something to read') }]
    const filled = { ...change(16), data: { source: IncrementalSource.Mutation, adds } }
    expect(texts(shopSummary(opened, blank, filled), 'long_wait')).toEqual([
      'The page showed nothing for 6 s.',
    ])
    expect(
      texts(shopSummary(opened, { ...snapshot, timestamp: opened.timestamp + 5000 }), 'long_wait'),
    ).toEqual(['The page showed nothing for 5 s.'])
    expect(texts(shopSummary(opened, snapshot, change(16)), 'long_wait')).toEqual([])
  })
})
