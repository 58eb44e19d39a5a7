import {
  EventType,
  isActive,
  isSize,
  type ReplayEvent,
  type Size,
  type WindowEvent,
} from '../../../contract/rrweb.ts'

/** The events of one window from a full snapshot to the next one of the same window. */
export type Scene = {
  window: string
  /** Time of the full snapshot, in milliseconds since the epoch. */
  start: number
  size: Size
  /** The window's size, its full snapshot, and the events after the snapshot. */
  events: ReplayEvent[]
}

/** A switch to `scene` at the time `at`, in milliseconds since the epoch. */
export type SceneCut = { at: number; scene: Scene }

const defaultSize: Size = { width: 1280, height: 720 }

/**
 * Returns the cuts between scenes. The window with the latest activity is shown; a new window is shown at once.
 * `events` are in chronological order. Events before a window's first full snapshot cannot be rendered and are dropped.
 */
export function cutScenes(events: readonly WindowEvent[]): SceneCut[] {
  const cuts: SceneCut[] = []
  const newest = new Map<string, Scene>()
  const sizes = new Map<string, ReplayEvent>()
  for (const { window, event } of events) {
    const shown = cuts.at(-1)?.scene.window
    const scene = newest.get(window)
    if (event.type === EventType.FullSnapshot) {
      const next = startScene(window, event, sizes.get(window))
      newest.set(window, next)
      if (!scene || shown === window) cuts.push({ at: event.timestamp, scene: next })
      // Within a scene, rrweb would treat the new size as the start of another one.
    } else if (event.type === EventType.Meta) sizes.set(window, event)
    else if (scene) {
      scene.events.push(event)
      if (shown !== window && isActive(event)) cuts.push({ at: event.timestamp, scene })
    }
  }
  return cuts
}

/** Returns the latest cut at or before a time, else the first cut; undefined if there are no cuts. */
export function cutAt<Cut extends { at: number }>(cuts: readonly Cut[], time: number): Cut | undefined {
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cuts[middle]?.at ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return cuts[Math.max(0, low - 1)]
}

function startScene(window: string, snapshot: ReplayEvent, meta: ReplayEvent | undefined): Scene {
  const { timestamp } = snapshot
  const { width, height } = meta && isSize(meta.data) ? meta.data : defaultSize
  const size = { width, height }
  const sized = { type: EventType.Meta, timestamp, data: { href: '', ...size } }
  return { window, start: timestamp, size, events: [sized, snapshot] }
}
