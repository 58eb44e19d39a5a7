import { expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  NodeType,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { gapsIn } from './gaps.ts'

const epoch = 1_000_000

function event(window: string, at: number, type: number, data: Record<string, unknown> = {}): WindowEvent {
  return { window, event: { type, timestamp: epoch + at, data } }
}

const meta = (window: string, at: number, href = '/') => event(window, at, EventType.Meta, { href })
const full = (window: string, at: number) => {
  const body = { type: NodeType.Element, id: 2, tagName: 'body', childNodes: [] }
  return event(window, at, EventType.FullSnapshot, {
    node: { type: NodeType.Document, id: 1, childNodes: [body] },
  })
}
const click = (window: string, at: number) =>
  event(window, at, EventType.IncrementalSnapshot, {
    source: IncrementalSource.MouseInteraction,
    type: MouseInteractions.Click,
    id: 2,
  })
const mutation = (window: string, at: number, changes: Record<string, unknown>) =>
  event(window, at, EventType.IncrementalSnapshot, { source: IncrementalSource.Mutation, ...changes })
const text = (id: number) => ({ type: NodeType.Text, id, textContent: 'text' })

function gapsOf(
  events: readonly WindowEvent[],
  actions: readonly number[] = [],
  blocks: [number, number][] = [],
) {
  const times = events.map(({ event }) => event.timestamp)
  const [start, end] = [Math.min(...times), Math.max(...times)]
  return gapsIn({
    events,
    start,
    end,
    actions: actions.map((at) => epoch + at),
    blocks: blocks.map(([from, to]) => ({ start: epoch + from, end: epoch + to + 1 })),
  })
}

test('a whole recording has no gap, even if its first page took long to serialise', () => {
  expect(gapsOf([meta('a', 0), full('a', 900), click('a', 60_000)])).toEqual([])
})

test('finds a missing beginning', () => {
  expect(gapsOf([click('a', 0), meta('a', 12_000), full('a', 12_010), click('a', 20_000)])).toEqual([
    { kind: 'beginning', window: 0, from: 0, to: 12_010 },
  ])
})

test('finds that there is no picture at all', () => {
  const line = event('a', 5_000, EventType.Plugin, { plugin: 'rrweb/console@1' })
  const picture = { kind: 'picture', window: 0, from: 0, to: 9_000 }
  expect(gapsOf([meta('a', 0), line, meta('a', 9_000)])).toEqual([picture])
  expect(gapsOf([click('a', 0), click('a', 9_000)])).toEqual([picture])
})

test('finds a window that starts late', () => {
  const late = [full('a', 0), click('b', 4_000), click('a', 6_000), full('b', 9_000), click('b', 10_000)]
  expect(gapsOf(late)).toEqual([{ kind: 'window', window: 2, from: 4_000, to: 9_000 }])
  expect(gapsOf([full('a', 0), click('b', 4_000), click('a', 6_000)])).toEqual([
    { kind: 'window', window: 2, from: 4_000, to: 6_000 },
  ])
})

test('finds a page whose full snapshot is missing', () => {
  const [first, next] = [meta('a', 0), meta('a', 5_000, '/next')]
  expect(gapsOf([first, full('a', 1), next, click('a', 6_000), full('a', 8_000)])).toEqual([
    { kind: 'page', window: 1, from: 5_000, to: 8_000 },
  ])
  expect(gapsOf([first, full('a', 1), next, full('a', 5_100), click('a', 9_000)])).toEqual([])
})

test('finds missing changes by a node that was never recorded, until the next full snapshot', () => {
  const added = mutation('a', 1_000, {
    adds: [
      { parentId: 3, node: text(4) },
      { parentId: 2, node: { type: NodeType.Element, id: 3, childNodes: [text(5)] } },
    ],
  })
  const known = mutation('a', 2_000, { texts: [{ id: 5 }], removes: [{ id: 4, parentId: 3 }] })
  const events = [full('a', 0), added, known]
  expect(gapsOf([...events, click('a', 9_000)])).toEqual([])
  const lost = [{ adds: [{ parentId: 9, node: text(10) }] }, { texts: [{ id: 9 }] }, { removes: [{ id: 9 }] }]
  for (const changes of [...lost, { attributes: [{ id: 9, attributes: {} }] }])
    expect(gapsOf([...events, mutation('a', 5_000, changes), full('a', 9_000)])).toEqual([
      { kind: 'changes', window: 1, from: 5_000, to: 9_000 },
    ])
})

test('missing changes end where another page opens', () => {
  const lost = mutation('a', 5_000, { texts: [{ id: 9 }] })
  const events = [meta('a', 0), full('a', 1), lost, meta('a', 8_000, '/next')]
  const changes = { kind: 'changes', window: 1, from: 5_000, to: 8_000 }
  expect(gapsOf([...events, full('a', 8_010), click('a', 9_000)])).toEqual([changes])
  expect(gapsOf([...events, click('a', 9_500)])).toEqual([
    changes,
    { kind: 'page', window: 1, from: 8_000, to: 9_500 },
  ])
})

test('finds the time for which the site paused the recorder', () => {
  const paused = event('a', 3_000, EventType.Custom, { tag: 'recording paused' })
  expect(gapsOf([full('a', 0), paused, full('a', 8_000)])).toEqual([
    { kind: 'paused', window: 1, from: 3_000, to: 8_000 },
  ])
})

test('finds a silence in which the visitor acted, unless the clocks differ', () => {
  const events = [full('a', 0), click('a', 10_000), click('a', 60_000), click('a', 90_000)]
  const silence = { kind: 'silence', window: 0, from: 10_000, to: 60_000 }
  expect(gapsOf(events)).toEqual([])
  expect(gapsOf(events, [10_100, 30_000, 40_000, 60_001, 89_000, 200_000])).toEqual([silence])
  expect(gapsOf(events, [10_100, 30_000, 40_000])).toEqual([])
})

test('finds a block whose data is lost', () => {
  const events = [full('a', 0), click('a', 10_000), click('a', 40_000.5), click('a', 50_000)]
  const blocks: [number, number][] = [
    [0, 10_000],
    [10_500, 39_000],
    [40_000, 50_000],
  ]
  expect(gapsOf(events, [], blocks)).toEqual([{ kind: 'data', window: 0, from: 10_500, to: 39_001 }])
})

test('damaged events are no gaps', () => {
  const damaged = [
    mutation('a', 1, { adds: 'all', texts: [null, 7], removes: [{ id: 'x' }], attributes: {} }),
    mutation('a', 2, { adds: [{ node: null }, { parentId: null, node: { childNodes: 7 } }] }),
    event('a', 3, EventType.Meta, {}),
  ]
  expect(gapsOf([full('a', 0), ...damaged, click('a', 9_000)])).toEqual([])
})
