import * as rrweb from '@rrweb/types'
import { expect, test } from 'vitest'
import {
  consoleArgument,
  EventType,
  IncrementalSource,
  isActive,
  isClick,
  isMaskedText,
  MouseInteractions,
  NodeType,
  pageAddress,
  parseSnapshotLine,
} from './rrweb.ts'

test.each([
  ['EventType', EventType, rrweb.EventType],
  ['IncrementalSource', IncrementalSource, rrweb.IncrementalSource],
  ['MouseInteractions', MouseInteractions, rrweb.MouseInteractions],
  ['NodeType', NodeType, rrweb.NodeType],
])('%s has the names and numbers of rrweb', (_, ours, theirs) => {
  const members = Object.entries(theirs).filter(([name]) => Number.isNaN(Number(name)))
  expect(ours).toEqual(Object.fromEntries(members))
})

const incremental = (data: Record<string, unknown>) => ({
  type: EventType.IncrementalSnapshot,
  timestamp: 0,
  data,
})

test('counts events caused by a person as activity, but not those caused by the page', () => {
  const active = Object.entries(IncrementalSource).filter(([, source]) => isActive(incremental({ source })))
  expect(active.map(([name]) => name)).toEqual([
    'MouseMove',
    'MouseInteraction',
    'Scroll',
    'ViewportResize',
    'Input',
    'TouchMove',
    'MediaInteraction',
    'Drag',
  ])
  expect(isActive({ type: EventType.Custom, timestamp: 0, data: { source: IncrementalSource.Input } })).toBe(
    false,
  )
})

test('clicks, context menus, double clicks and the ends of touches count as clicks', () => {
  const source = IncrementalSource.MouseInteraction
  const clicks = Object.entries(MouseInteractions).filter(([, type]) =>
    isClick(incremental({ source, type })),
  )
  expect(clicks.map(([name]) => name)).toEqual(['Click', 'ContextMenu', 'DblClick', 'TouchEnd'])
  expect(isClick(incremental({ source: IncrementalSource.Scroll, type: MouseInteractions.Click }))).toBe(
    false,
  )
})

test('finds the address of a page in every event that contains one', () => {
  const href = 'https://shop.example/'
  const custom = (tag: string) => ({ type: EventType.Custom, timestamp: 0, data: { tag, payload: { href } } })
  expect(pageAddress({ type: EventType.Meta, timestamp: 0, data: { href } })).toBe(href)
  expect(pageAddress(custom('$pageview'))).toBe(href)
  expect(pageAddress(custom('$url_changed'))).toBe(href)
  expect(pageAddress(custom('other'))).toBe('')
  expect(pageAddress({ type: EventType.Meta, timestamp: 0, data: 'packed', cv: '2024-10' })).toBe('')
})

test('renders console arguments as the console does', () => {
  expect(['"text"', 'text', '"cut', { a: 1 }, null].map(consoleArgument)).toEqual([
    'text',
    'text',
    '"cut',
    '{"a":1}',
    'null',
  ])
})

test('returns no event for a damaged line', () => {
  const event = { type: EventType.Meta, timestamp: 1, data: {}, cv: undefined }
  expect(parseSnapshotLine(JSON.stringify(['window', event]))).toEqual({ window: 'window', event })
  for (const line of ['["window", {"type": 3, "timest', '{}', '[7, {}]', '["window", {"type": 3}]', 'null'])
    expect(parseSnapshotLine(line)).toBeNull()
})

test('only text that consists of asterisks is masked, and no value of another type', () => {
  const input = (text: unknown) => incremental({ source: IncrementalSource.Input, text })
  expect(isMaskedText(input('***'))).toBe(true)
  for (const text of ['a*', '', undefined, ['*'], { toString: 1 }])
    expect(isMaskedText(input(text))).toBe(false)
})
