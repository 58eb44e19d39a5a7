import {
  consolePlugin,
  EventType,
  IncrementalSource,
  isObject,
  networkPlugin,
  pageAddress,
  sourceOf,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { readState, stateEvent } from '../../../replay/recorded/page-state.ts'
import type { LinkShows } from '../../../contract/recordings/recording-rules.ts'

/** Custom events that describe the picture; the names are those of PostHog's recorders and rrweb. */
const pictureTags: ReadonlySet<unknown> = new Set([
  '$pageview',
  '$url_changed',
  'keyboard',
  'recording paused',
  'recording resumed',
  'window hidden',
  'window visible',
])

/** Returns an event without what the link does not show; null if nothing remains. The picture itself stays as it is. */
export function shownEvent(event: ReplayEvent, shows: LinkShows): ReplayEvent | null {
  const state = readState(event)
  if (state?.tag === 'spool/preferences') delete state.payload?.contrast
  if (state) return stateEvent(event.timestamp, state)
  if (shows === 'all') return event
  switch (event.type) {
    case EventType.Plugin: {
      const { plugin } = event.data
      const isShown =
        plugin === consolePlugin ? shows === 'console' : plugin === networkPlugin && shows === 'network'
      return isShown ? event : null
    }
    case EventType.IncrementalSnapshot:
      return sourceOf(event) === IncrementalSource.Log && shows !== 'console' ? null : event
    case EventType.Meta:
      return shows === 'network' ? event : { ...event, data: { ...event.data, href: shownAddress(event) } }
    case EventType.Custom:
      return shownCustom(event, shows)
    case EventType.DomContentLoaded:
    case EventType.Load:
    case EventType.FullSnapshot:
      return event
    default:
      return null
  }
}

function shownCustom(event: ReplayEvent, shows: LinkShows): ReplayEvent | null {
  const { tag, payload } = event.data
  if (!pictureTags.has(tag)) return null
  if (tag === 'keyboard') return event
  const href = shows === 'network' ? pageAddress(event) : shownAddress(event)
  return { ...event, data: { tag, payload: isObject(payload) && href !== '' ? { href } : {} } }
}

/** Returns the address of a page without its query, fragment and credentials, which can contain secrets. */
function shownAddress(event: ReplayEvent): string {
  const address = pageAddress(event)
  if (!URL.canParse(address)) return ''
  const { protocol, host, pathname } = new URL(address)
  return /^https?:$/.test(protocol) ? `${protocol}//${host}${pathname}` : ''
}
