import { expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  NodeType,
  type WindowEvent,
} from './recorded/rrweb.ts'
import { cutAt, cutScenes } from './scenes.ts'

const node = { type: NodeType.Document, id: 1, childNodes: [] }
const click = { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Click, id: 1 }

function event(
  window: string,
  timestamp: number,
  type: number,
  data: Record<string, unknown> = {},
): WindowEvent {
  return { window, event: { type, timestamp, data } }
}

const meta = (window: string, at: number, width = 800) =>
  event(window, at, EventType.Meta, { width, height: 600, href: '/' })
const full = (window: string, at: number) => event(window, at, EventType.FullSnapshot, { node })

const active = (window: string, at: number) => event(window, at, EventType.IncrementalSnapshot, click)

test('drops events before a window’s first full snapshot, and adds later ones to its scene', () => {
  const cuts = cutScenes([active('a', 1), meta('a', 2, 640), full('a', 3), active('a', 4)], 0)
  expect(cuts).toHaveLength(1)
  expect(cuts[0]).toMatchObject({ at: 0, scene: { window: 'a', start: 3 } })
  expect(cuts[0]?.scene?.events[0]?.data).toEqual({ href: '', width: 640, height: 600 })
  expect(cuts[0]?.scene?.events.map(({ type }) => type)).toEqual([
    EventType.Meta,
    EventType.FullSnapshot,
    EventType.IncrementalSnapshot,
  ])
})

test('returns no scene without a full snapshot', () => {
  const cuts = cutScenes([meta('a', 1), active('a', 2)], 0)
  expect(cuts).toEqual([{ at: 0, window: null, scene: null }])
  expect(cutAt(cuts, 5)?.scene).toBeNull()
  expect(cutAt([], 5)).toBeUndefined()
})

test('shows no picture before the first full snapshot, except for the time that a recorder takes to make it', () => {
  const late = cutScenes([active('a', 0), meta('a', 11_990), full('a', 12_000)], 0)
  expect(late.map(({ at, scene }) => [at, scene?.start])).toEqual([
    [0, undefined],
    [12_000, 12_000],
  ])
  const slow = cutScenes([meta('a', 0), full('a', 900), active('a', 2_000)], 0)
  expect(slow.map(({ at, scene }) => [at, scene?.start])).toEqual([[0, 900]])
})

test('shows no picture of a window that is used before its first full snapshot', () => {
  const cuts = cutScenes([full('a', 0), active('b', 10_000), active('b', 15_000), full('b', 20_000)], 0)
  expect(cuts.map(({ at, window, scene }) => [at, window, scene?.start])).toEqual([
    [0, 'a', 0],
    [10_000, 'b', undefined],
    [20_000, 'b', 20_000],
  ])
  const back = cutScenes([full('a', 0), active('b', 10_000), active('a', 11_000)], 0)
  expect(back.map(({ at, scene }) => [at, scene?.window])).toEqual([
    [0, 'a'],
    [10_000, undefined],
    [11_000, 'a'],
  ])
})

test('shows no picture of a page whose full snapshot is missing, and applies no event to the page before', () => {
  const nextPage = event('a', 5_000, EventType.Meta, { width: 800, height: 600, href: '/next' })
  const cuts = cutScenes([meta('a', 0), full('a', 1), nextPage, active('a', 6_000), full('a', 9_000)], 0)
  expect(cuts.map(({ at, window, scene }) => [at, window, scene?.start, scene?.events.length])).toEqual([
    [0, 'a', 1, 2],
    [5_000, 'a', undefined, undefined],
    [9_000, 'a', 9_000, 2],
  ])
  const quick = cutScenes([meta('a', 0), full('a', 1), nextPage, full('a', 5_100)], 0)
  expect(quick.map(({ at }) => at)).toEqual([0, 5_100])
})

test('a hidden window that opens another page stays hidden', () => {
  const nextPage = event('b', 5_000, EventType.Meta, { width: 800, height: 600, href: '/next' })
  const events = [full('a', 0), meta('b', 1), full('b', 2), active('a', 3), nextPage, full('b', 5_010)]
  expect(cutScenes(events, 0).map(({ at, window }) => [at, window])).toEqual([
    [0, 'a'],
    [2, 'b'],
    [3, 'a'],
  ])
})

test('starts a scene at each full snapshot, so that a seek never goes further back', () => {
  const cuts = cutScenes([full('a', 1), active('a', 2), full('a', 300), active('a', 301)], 1)
  expect(cuts.map(({ at, scene }) => [at, scene?.events.length])).toEqual([
    [1, 3],
    [300, 3],
  ])
  expect(cutAt(cuts, 299)?.scene?.start).toBe(1)
  expect(cutAt(cuts, 300)?.scene?.start).toBe(300)
  expect(cutAt(cuts, 0)).toBeUndefined()
})

test('shows the window with the latest activity, and a new window at once', () => {
  const cuts = cutScenes(
    [
      full('a', 1),
      active('a', 2),
      full('b', 10),
      active('b', 11),
      // Neither a change without a visitor's action nor a new snapshot of a hidden window switches windows.
      event('a', 20, EventType.IncrementalSnapshot, { source: IncrementalSource.Mutation }),
      full('a', 25),
      active('a', 30),
      active('b', 40),
    ],
    1,
  )
  expect(cuts.map(({ at, scene }) => [at, scene?.window, scene?.start])).toEqual([
    [1, 'a', 1],
    [10, 'b', 10],
    [30, 'a', 25],
    [40, 'b', 10],
  ])
})

test('starts a scene with one size and one snapshot, whatever sizes follow', () => {
  const [cut] = cutScenes([meta('a', 1), full('a', 2), meta('a', 3), active('a', 4)], 1)
  expect(cut?.scene?.events.map(({ type }) => type)).toEqual([
    EventType.Meta,
    EventType.FullSnapshot,
    EventType.IncrementalSnapshot,
  ])
})

test('replaces an impossible window size with the default', () => {
  const sizes = [0, -5, 1e9, 'wide', undefined].map((width) => {
    const data = { width, height: 600 }
    return cutScenes([event('a', 1, EventType.Meta, data), full('a', 2)], 1)[0]?.scene?.events[0]?.data
  })
  expect(new Set(sizes.map((size) => JSON.stringify(size)))).toEqual(
    new Set([JSON.stringify({ href: '', width: 1280, height: 720 })]),
  )
})
