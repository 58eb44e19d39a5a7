import {
  EventType,
  isActive,
  isSize,
  type ReplayEvent,
  type Size,
  type WindowEvent,
} from '../../../contract/rrweb.ts'

/** What one window of the session showed from a full snapshot on, until the next one of the same window. */
export type Scene = {
  window: string
  /** When its snapshot was taken, in milliseconds since the epoch. */
  start: number
  size: Size
  /** Its size, its full snapshot, and everything that came after it. */
  events: ReplayEvent[]
}

/** From this moment on (milliseconds since the epoch) this scene is shown. */
export type Cut = { at: number; scene: Scene }

const usualSize: Size = { width: 1280, height: 720 }

/**
 * What is shown when: of several windows the one in which something was done last, a new one at once. `events` are in the
 * order of time. What a window did before its first full snapshot cannot be shown and is left out.
 */
export function cutScenes(events: readonly WindowEvent[]): Cut[] {
  const cuts: Cut[] = []
  const newest = new Map<string, Scene>()
  const sizes = new Map<string, ReplayEvent>()
  for (const { window, event } of events) {
    const shown = cuts.at(-1)?.scene.window
    const scene = newest.get(window)
    if (event.type === EventType.FullSnapshot) {
      const next = startScene(window, event, sizes.get(window))
      newest.set(window, next)
      if (!scene || shown === window) cuts.push({ at: event.timestamp, scene: next })
      // rrweb takes a later size for the beginning of another scene.
    } else if (event.type === EventType.Meta) sizes.set(window, event)
    else if (scene) {
      scene.events.push(event)
      if (shown !== window && isActive(event)) cuts.push({ at: event.timestamp, scene })
    }
  }
  return cuts
}

/** The cut that is in force at a moment; before the first one, the first. Undefined when there is none at all. */
export function cutAt(cuts: readonly Cut[], time: number): Cut | undefined {
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
  const { width, height } = meta && isSize(meta.data) ? meta.data : usualSize
  const size = { width, height }
  const sized = { type: EventType.Meta, timestamp, data: { href: '', ...size } }
  return { window, start: timestamp, size, events: [sized, snapshot] }
}
