import { expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  NodeType,
  type WindowEvent,
} from '../../../contract/rrweb.ts'
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

test('drops events before a window’s first full snapshot, and adds later ones to its scene', () => {
  const cuts = cutScenes([
    event('a', 1, EventType.IncrementalSnapshot, click),
    meta('a', 2, 640),
    full('a', 3),
    event('a', 4, EventType.IncrementalSnapshot, click),
  ])
  expect(cuts).toHaveLength(1)
  expect(cuts[0]).toMatchObject({
    at: 3,
    scene: { window: 'a', start: 3, size: { width: 640, height: 600 } },
  })
  expect(cuts[0]?.scene.events.map(({ type }) => type)).toEqual([
    EventType.Meta,
    EventType.FullSnapshot,
    EventType.IncrementalSnapshot,
  ])
})

test('returns no scene without a full snapshot', () => {
  expect(cutScenes([meta('a', 1), event('a', 2, EventType.IncrementalSnapshot, click)])).toEqual([])
  expect(cutAt([], 5)).toBeUndefined()
})

test('starts a scene at each full snapshot, so that a seek never goes further back', () => {
  const cuts = cutScenes([
    full('a', 1),
    event('a', 2, EventType.IncrementalSnapshot, click),
    full('a', 300),
    event('a', 301, EventType.IncrementalSnapshot, click),
  ])
  expect(cuts.map(({ at, scene }) => [at, scene.events.length])).toEqual([
    [1, 3],
    [300, 3],
  ])
  expect(cutAt(cuts, 299)?.scene.start).toBe(1)
  expect(cutAt(cuts, 300)?.scene.start).toBe(300)
  expect(cutAt(cuts, 0)?.scene.start).toBe(1)
})

test('shows the window with the latest activity, and a new window at once', () => {
  const cuts = cutScenes([
    full('a', 1),
    event('a', 2, EventType.IncrementalSnapshot, click),
    full('b', 10),
    event('b', 11, EventType.IncrementalSnapshot, click),
    // Neither a change without a visitor's action nor a new snapshot of a hidden window switches windows.
    event('a', 20, EventType.IncrementalSnapshot, { source: IncrementalSource.Mutation }),
    full('a', 25),
    event('a', 30, EventType.IncrementalSnapshot, click),
    event('b', 40, EventType.IncrementalSnapshot, click),
  ])
  expect(cuts.map(({ at, scene }) => [at, scene.window, scene.start])).toEqual([
    [1, 'a', 1],
    [10, 'b', 10],
    [30, 'a', 25],
    [40, 'b', 10],
  ])
})

test('starts a scene with one size and one snapshot, whatever sizes follow', () => {
  const [cut] = cutScenes([
    meta('a', 1),
    full('a', 2),
    meta('a', 3),
    event('a', 4, EventType.IncrementalSnapshot, click),
  ])
  expect(cut?.scene.events.map(({ type }) => type)).toEqual([
    EventType.Meta,
    EventType.FullSnapshot,
    EventType.IncrementalSnapshot,
  ])
})

test('replaces an impossible window size with the default', () => {
  const sizes = [0, -5, 1e9, 'wide', undefined].map((width) => {
    const data = { width, height: 600 }
    return cutScenes([event('a', 1, EventType.Meta, data), full('a', 2)])[0]?.scene.size
  })
  expect(new Set(sizes.map((size) => JSON.stringify(size)))).toEqual(
    new Set([JSON.stringify({ width: 1280, height: 720 })]),
  )
})
