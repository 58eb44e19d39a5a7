import {
  defaultSize,
  EventType,
  isActive,
  isSize,
  type ReplayEvent,
  type WindowEvent,
} from './recorded/rrweb.ts'

/** The events of one window from a full snapshot to the next one of the same window. */
export type Scene = {
  window: string
  /** Time of the full snapshot, in milliseconds since the epoch. */
  start: number
  /** The window's size, its full snapshot, and the events after the snapshot. */
  events: ReplayEvent[]
}

/**
 * A switch to a window at the time `at`, in milliseconds since the epoch. `scene` is null while there is no picture of the
 * window; `window` is null before the first picture of the recording.
 */
export type SceneCut = { at: number; window: string | null; scene: Scene | null }

/** Longest time (ms) that a recorder takes to serialise a large page for its full snapshot. */
const snapshotMsMax = 1_000

/**
 * Returns the cuts from the recording's `start` on. The window with the latest activity is shown; a new window is shown at
 * once. `events` are in chronological order. Events before a window's first full snapshot cannot be rendered and are dropped.
 */
export function cutScenes(events: readonly WindowEvent[], start: number): SceneCut[] {
  const cuts: SceneCut[] = []
  let shown: SceneCut = { at: start, window: null, scene: null }
  const show = (next: SceneCut) => {
    cuts.push(next)
    shown = next
  }
  show(shown)
  const newest = new Map<string, Scene | null>()
  const sizes = new Map<string, ReplayEvent>()
  for (const { window, event } of events) {
    const { type, timestamp: at } = event
    const scene = newest.get(window)
    if (type === EventType.FullSnapshot) {
      const next = startScene(window, event, sizes.get(window))
      newest.set(window, next)
      if (scene !== undefined && shown.window !== window) continue
      const isLate = shown.scene === null && at - shown.at < snapshotMsMax
      if (isLate) cuts.pop()
      show({ at: isLate && cuts.length === 0 ? shown.at : at, window, scene: next })
    } else if (type === EventType.Meta) {
      // Another page follows. If its snapshot was lost, its events must not be applied to the old page.
      if (scene && event.data['href'] !== sizes.get(window)?.data['href']) {
        newest.set(window, null)
        if (shown.window === window) show({ at, window, scene: null })
      }
      // Within a scene, rrweb would treat the new size as the start of another one.
      sizes.set(window, event)
    } else {
      scene?.events.push(event)
      if (isActive(event) && shown.window !== window && (scene || shown.scene))
        show({ at, window, scene: scene ?? null })
    }
  }
  return cuts
}

/** Returns the latest cut at or before a time; undefined before the first. */
export function cutAt<Cut extends { at: number }>(cuts: readonly Cut[], time: number): Cut | undefined {
  return cuts[firstIndex(cuts, ({ at }) => at > time) - 1]
}

/** Returns the index of the first item that meets a condition, as all items after it do. */
export function firstIndex<Item>(items: readonly Item[], isMet: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isMet(item)) high = middle
    else low = middle + 1
  }
  return low
}

function startScene(window: string, snapshot: ReplayEvent, meta: ReplayEvent | undefined): Scene {
  const { timestamp } = snapshot
  const { width, height } = meta && isSize(meta.data) ? meta.data : defaultSize
  const sized = { type: EventType.Meta, timestamp, data: { href: '', width, height } }
  return { window, start: timestamp, events: [sized, snapshot] }
}
