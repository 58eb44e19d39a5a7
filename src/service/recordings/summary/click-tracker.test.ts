import { describe, expect, test } from 'vitest'
import { IncrementalSource, NodeType } from '../../../contract/rrweb.ts'
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
  tell,
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
const told = (...events: Parameters<typeof tell>[0]) => tell([...shop, ...events])

describe('clicks in rage', () => {
  const times = [5, 5.3, 5.6, 5.9, 6.7]

  test('are three or more within a second, told once with how many and how long', () => {
    const story = told(...times.map((at) => click(at, 10)), change(7))
    expect(texts(story, 'rage_click')).toEqual(['Clicked “Pay” five times in 2 s.'])
    expect(story.problems.map(({ text }) => text)).toEqual(['Clicked “Pay” five times in 2 s.'])
  })

  test('need not be at the same spot when the button moved', () => {
    const story = told(click(5, 10, [10, 10]), click(5.3, 10, [10, 90]), click(5.6, 10, [10, 90]), change(6))
    expect(texts(story, 'rage_click')).toHaveLength(1)
  })

  test('are neither slow ones, nor those far apart on different things, nor a stepper’s', () => {
    const slow = [5, 5.6, 6.2, 6.8].flatMap((at) => [click(at, 10), change(at + 0.1)])
    const apart = [click(9, 10, [0, 0]), click(9.2, 6, [300, 0]), click(9.4, 10, [0, 300]), change(9.5)]
    const stepper = [20, 20.2, 20.4, 20.6].flatMap((at) => [click(at, 11), change(at + 0.1)])
    expect(texts(told(...slow, ...apart, ...stepper), 'rage_click')).toEqual([])
  })

  test('that posthog-js noticed too are told once', () => {
    const events = [...shop, ...times.map((at) => click(at, 10)), change(7)]
    const noticed = tell(events, { captured: [captured(30, '$rageclick', { element: 'Buy' })] })
    expect(texts(noticed, 'rage_click')).toHaveLength(2)
    expect(texts(tell(events, { captured: [captured(7, '$rageclick')] }), 'rage_click')).toHaveLength(1)
  })
})

describe('a click without effect', () => {
  test('is one on a button that nothing follows within 2.5 s', () => {
    expect(texts(told(click(5, 10), move(8)), 'dead_click')).toEqual([
      'Nothing happened after clicking “Pay”.',
    ])
    expect(texts(told(click(5, 10), click(8, 10), move(11)), 'dead_click')).toEqual([
      'Nothing happened after clicking “Pay” twice.',
    ])
    expect(texts(told(click(5, 10), scroll(9, 400), change(10)), 'dead_click')).toHaveLength(1)
  })

  test.each([
    ['the page changes', [click(5, 10), change(7.4), move(9)]],
    ['another page opens', [click(5, 10), ...page(6, 'https://shop.example/b', 'B'), move(9)]],
    ['it scrolls', [click(5, 10), scroll(5.5, 300), move(9)]],
    ['a request goes out', [click(5, 10), request(6, 'POST', 'https://shop.example/api', 200), move(9)]],
    ['the recording ends too soon to know', [click(5, 10), move(6)]],
    ['a link opens a new tab', [click(5, 13), move(9)]],
    ['it is no button, but a field', [click(5, 14), move(9)]],
    ['it is no button, but text', [click(5, 6), move(9)]],
    ['the person typed at once', [click(5, 10), input(6, 14, 'a'), move(9)]],
  ])('is none when %s', (_, events) => {
    expect(texts(told(...events), 'dead_click')).toEqual([])
  })

  test('is also what posthog-js says is one', () => {
    const story = tell([...shop, move(9)], { captured: [captured(5, '$dead_click', { element: 'Apply' })] })
    expect(texts(story, 'dead_click')).toEqual(['Nothing happened after clicking “Apply”.'])
  })
})

describe('a long wait', () => {
  test('is a click whose effect takes four seconds or more, and is no dead click', () => {
    const story = told(click(5, 10), move(8), change(11))
    expect(texts(story, 'long_wait')).toEqual(['Nothing moved for 6 s after clicking “Pay”.'])
    expect(texts(story, 'dead_click')).toEqual([])
    expect(texts(told(click(5, 10), change(8.9)), 'long_wait')).toEqual([])
    expect(texts(told(click(5, 6), change(11)), 'long_wait')).toEqual([])
  })

  test('is a page that has nothing to show for as long', () => {
    const [opened, snapshot] = page(10, 'https://shop.example/b', 'B')
    const empty = { id: 1, type: NodeType.Document, childNodes: [element(2, 'div', { id: 'root' })] }
    if (!opened || !snapshot) throw new Error('a page has two events')
    const blank = { ...snapshot, data: { node: empty } }
    const adds = [{ parentId: 2, nextId: null, node: text(3, 'At last there is something to read') }]
    const filled = { ...change(16), data: { source: IncrementalSource.Mutation, adds } }
    expect(texts(told(opened, blank, filled), 'long_wait')).toEqual(['The page showed nothing for 6 s.'])
    expect(texts(told(opened, { ...snapshot, timestamp: opened.timestamp + 5000 }), 'long_wait')).toEqual([
      'The page showed nothing for 5 s.',
    ])
    expect(texts(told(opened, snapshot, change(16)), 'long_wait')).toEqual([])
  })
})
