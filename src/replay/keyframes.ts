import type { ReplayEvent } from './recorded/rrweb.ts'
import { applyEvent, copyPage, openPage } from './page.ts'
import type { Page } from './page-tree.ts'
import { firstIndex, type Scene } from './scenes.ts'

/** A page before one of a scene's events: the event at `index`, which follows `previous`. */
type Keyframe = { page: Page; index: number; previous: ReplayEvent }

/** Time between two keyframes, in milliseconds of a scene in which something happens. */
const keyframeMs = 10_000
/** Events of a scene before those that change its page: the window's size and the full snapshot. */
const openingEvents = 2

/** Computes the page of a recording at any time from the nearest keyframe before the time. */
export function createKeyframes() {
  const keyframes = new WeakMap<ReplayEvent, Keyframe[]>()
  /** The page opened last in each window. */
  const opened = new Map<string, Page>()

  const keyframesOf = ({ window, events }: Scene): Keyframe[] => {
    const [sized, snapshot] = events
    if (!sized || !snapshot) return []
    const known = keyframes.get(snapshot) ?? []
    if (!keyframes.has(snapshot)) {
      const page = openPage(sized, snapshot, opened.get(window))
      opened.set(window, page)
      known.push({ page, index: openingEvents, previous: snapshot })
    }
    // Blocks arrive in any order, so an event can be earlier than a keyframe computed before it arrived.
    const valid = known.filter(({ index, previous }) => events[index - 1] === previous)
    keyframes.set(snapshot, valid)
    return valid
  }

  /** Returns the scene's page before a time (ms since the epoch); the caller may change it. */
  const pageAt = (scene: Scene, before: number): Page | null => {
    const known = keyframesOf(scene)
    const end = indexOfTime(scene.events, before)
    const nearest = known.findLast(({ index }) => index <= Math.max(end, openingEvents))
    if (!nearest) return null
    const page = copyPage(nearest.page)
    let madeAt = nearest.previous.timestamp
    for (let index = nearest.index; index < end; index += 1) {
      const event = scene.events[index]
      const previous = scene.events[index - 1]
      if (!event || !previous) break
      if (event.timestamp - madeAt >= keyframeMs) {
        madeAt = event.timestamp
        const place = firstIndex(known, (other) => other.index >= index)
        if (known[place]?.index !== index) known.splice(place, 0, { page: copyPage(page), index, previous })
      }
      applyEvent(page, event)
    }
    return page
  }

  return { pageAt }
}

/** Returns the index of the first event at or after a time; events are in chronological order. */
export function indexOfTime(events: readonly ReplayEvent[], time: number): number {
  return firstIndex(events, ({ timestamp }) => timestamp >= time)
}
