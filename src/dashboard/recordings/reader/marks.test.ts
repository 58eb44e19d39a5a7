import { expect, test } from 'vitest'
import {
  consolePlugin,
  EventType,
  IncrementalSource,
  MouseInteractions,
  networkPlugin,
} from '../../../replay/recorded/rrweb.ts'
import { createMarkFinder } from './marks.ts'

function marksIn(...events: { type: number; timestamp: number; data: Record<string, unknown> }[]) {
  const findMarks = createMarkFinder()
  return events.flatMap((event) => findMarks({ window: 'a', event }))
}

test('marks a page when its URL changes, whichever event records the change', () => {
  const marks = marksIn(
    { type: EventType.Meta, timestamp: 1, data: { href: 'https://shop.example/lamps?sort=new' } },
    { type: EventType.Meta, timestamp: 2, data: { href: 'https://shop.example/lamps?sort=new' } },
    {
      type: EventType.Custom,
      timestamp: 3,
      data: { tag: '$pageview', payload: { href: 'https://shop.example/cart' } },
    },
    {
      type: EventType.Custom,
      timestamp: 4,
      data: { tag: 'other', payload: { href: 'https://shop.example/x' } },
    },
  )
  expect(marks).toEqual([
    { kind: 'page', time: 1, text: '/lamps?sort=new', detail: 'https://shop.example/lamps?sort=new' },
    { kind: 'page', time: 3, text: '/cart', detail: 'https://shop.example/cart' },
  ])
})

test('marks the third of three clicks at one place within a second as a rage click', () => {
  const click = (timestamp: number, x: number) => ({
    type: EventType.IncrementalSnapshot,
    timestamp,
    data: { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Click, id: 1, x, y: 5 },
  })
  const rageTimes = (...clicks: ReturnType<typeof click>[]) =>
    marksIn(...clicks)
      .filter(({ kind }) => kind === 'rage click')
      .map(({ time }) => time)
  expect(rageTimes(click(0, 10), click(300, 12), click(700, 11), click(900, 11))).toEqual([700])
  expect(rageTimes(click(0, 10), click(300, 200), click(700, 11))).toEqual([])
  expect(rageTimes(click(0, 10), click(2_000, 10), click(4_000, 10))).toEqual([])
})

test('marks clicks, and no other mouse events', () => {
  const kinds = Object.values(MouseInteractions).flatMap((type) =>
    marksIn({
      type: EventType.IncrementalSnapshot,
      timestamp: type,
      data: { source: IncrementalSource.MouseInteraction, type },
    }).map(({ time }) => time),
  )
  expect(kinds).toEqual([2, 3, 4, 9])
})

test('marks console lines by their level, with their original text', () => {
  const line = (level: unknown, ...payload: unknown[]) => ({
    type: EventType.Plugin,
    timestamp: 5,
    data: { plugin: consolePlugin, payload: { level, payload, trace: ['at a.js:1'] } },
  })
  expect(
    marksIn(
      line('error', '"It \\"broke\\""', '{"code":1}'),
      line('warn', '"cut off'),
      line('info'),
      line(7, 8, null),
    ),
  ).toMatchObject([
    {
      kind: 'error',
      time: 5,
      text: 'It "broke" {"code":1}',
      detail: 'It "broke" {"code":1}\nat a.js:1',
      line: { parts: ['"It \\"broke\\""', '{"code":1}'], trace: ['at a.js:1'] },
    },
    { kind: 'warn', time: 5, text: '"cut off', detail: '"cut off\nat a.js:1' },
    { kind: 'log', time: 5, text: '', detail: '\nat a.js:1' },
    { kind: 'log', time: 5, text: '8 null', detail: '8 null\nat a.js:1' },
  ])
})

test('marks requests, and distinguishes failed ones', () => {
  const requests = [
    { name: 'https://shop.example/api/cart', method: 'POST', status: 500, duration: 12.4, timestamp: 9 },
    { name: 'https://shop.example/a.css', responseStatus: 200 },
    { name: 'https://shop.example/', entryType: 'navigation' },
    'nothing',
  ]
  const data = { plugin: networkPlugin, payload: { requests } }
  expect(
    marksIn({ type: EventType.Plugin, timestamp: 5, data }).map(({ kind, time, text }) => [kind, time, text]),
  ).toEqual([
    ['failed request', 9, 'POST /api/cart 500 12 ms'],
    ['request', 5, 'GET /a.css 200'],
    ['request', 5, 'GET /'],
  ])
})

test('truncates long texts', () => {
  const payload = { level: 'log', payload: ['x'.repeat(100_000)] }
  const [mark] = marksIn({ type: EventType.Plugin, timestamp: 5, data: { plugin: consolePlugin, payload } })
  expect(mark?.text).toHaveLength(301)
  expect(mark?.detail).toHaveLength(4_001)
})
