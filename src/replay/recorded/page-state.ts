import { readAnimations, type ScriptAnimation } from './script-animations.ts'
import { EventType, isObject, readableData, type RecordedEvent, type ReplayEvent } from './rrweb.ts'

/**
 * What the addition to posthog-js' recorder reports of a page, by the tag of its custom events. The latest event of a tag
 * counts, until the next full snapshot.
 */
type Payloads = {
  /** Links leave out the contrast, which can point to an impairment. */
  'spool/preferences': { scheme: (typeof schemes)[number]; contrast?: Contrast }
  /** Open popovers and modal dialogs, the uppermost last. */
  'spool/top-layer': { ids: number[] }
  /** The element that `:target` matches, to which the page's address points; null if no element matches. */
  'spool/target': { id: number | null }
  /** All animations that scripts started and that are not over, oldest first. */
  'spool/animations': { list: ScriptAnimation[] }
  /** Nodes clicked last where clicks open popovers; the reader adds these if the recorder does not report the top layer. */
  'spool/popover-clicks': { ids: number[] }
}
export type StateTag = keyof Payloads

/** A part of a page's state; the payload is null if nothing was reported. */
export type PageState = { [Tag in StateTag]: { tag: Tag; payload: Payloads[Tag] | null } }[StateTag]

const schemes = ['light', 'dark'] as const
const contrasts = ['no-preference', 'more', 'less', 'custom', 'forced'] as const
/** The visitor's contrast; `forced` if the browser replaced the colors of pages, whatever its level is. */
export type Contrast = (typeof contrasts)[number]
const idsMax = 100

/** Each returns a valid payload without anything else that was sent, else null. zod would double the player's size. */
const readers: {
  [Tag in StateTag]: (payload: Record<string, unknown>, timestamp: number) => Payloads[Tag] | null
} = {
  'spool/preferences'(payload) {
    const scheme = schemes.find((known) => known === payload['scheme'])
    const contrast = readContrast(payload['contrast'])
    return scheme ? { scheme, ...(contrast && { contrast }) } : null
  },
  'spool/top-layer': readIds,
  'spool/target': ({ id }) => (id === null || isId(id) ? { id } : null),
  'spool/animations': readAnimations,
  'spool/popover-clicks': readIds,
}

export const stateTags = Object.keys(readers) as StateTag[]

function readIds({ ids }: Record<string, unknown>): { ids: number[] } | null {
  return Array.isArray(ids) && ids.length <= idsMax && ids.every(isId) ? { ids } : null
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

export function readContrast(value: unknown): Contrast | undefined {
  return contrasts.find((known) => known === value)
}

/**
 * Returns the visitor's contrast before a time (ms since the epoch), else the first one that is reported: a report follows its
 * page. `events` are those of a scene.
 */
export function contrastBefore(events: readonly ReplayEvent[], before: number): Contrast {
  let contrast: Contrast | undefined
  for (const event of events) {
    if (contrast && event.timestamp >= before) break
    if (stateTag(event) !== 'spool/preferences' || !isObject(event.data['payload'])) continue
    contrast = readContrast(event.data['payload']['contrast']) ?? contrast
  }
  return contrast ?? 'no-preference'
}

/** Returns the event's tag if it reports the state of a page, else null. */
export function stateTag(event: RecordedEvent): StateTag | null {
  const { tag } = readableData(event)
  return (event.type === EventType.Custom && stateTags.find((known) => known === tag)) || null
}

export function stateEvent(timestamp: number, { tag, payload }: PageState): ReplayEvent {
  return { type: EventType.Custom, timestamp, data: { tag, payload } }
}

/** Returns the state that an event reports, without anything else that was sent; null if it reports none or is not valid. */
export function readState(event: ReplayEvent): PageState | null {
  const tag = stateTag(event)
  const { payload: given } = event.data
  const payload = tag && isObject(given) ? readers[tag](given, event.timestamp) : null
  return tag && payload ? ({ tag, payload } as PageState) : null
}
