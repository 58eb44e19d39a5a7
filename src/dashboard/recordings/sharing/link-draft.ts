import { sharedRecordingsMax, type LinkShows } from '../../../contract/recordings/recording-rules.ts'
import type { LinkMask, SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { clockTime } from '../../format/clock.ts'
import type { Zone } from '../../format/preferences.ts'
import { fieldTime, readFieldTime } from '../../format/time.ts'

/** A link to a recording, or to a collection, which has neither start nor end but `names`. */
export type ShownLink = Omit<SharingConfiguration, 'start' | 'end'> &
  Partial<Pick<SharingConfiguration, 'start' | 'end'>> & { label?: string; names?: boolean }

/** A link's settings as its form contains them. */
export type LinkDraft = {
  /** Positions such as `0:16`; "" for the beginning or the end. */
  start: string
  end: string
  shows: LinkShows
  kinds: readonly MaskKind[]
  /** CSS selectors, one per line. */
  selectors: string
  /** Value of a `datetime-local` field; "" for no expiry. */
  expires: string
  /** The new password; "" keeps the password, null removes it. */
  password: string | null
  /** The name in the list of links; undefined for the default link, which has none. */
  label: string | undefined
  /** Whether visitors see names; undefined for a link to a recording. */
  names: boolean | undefined
}

export const showsInWords: Record<LinkShows, string> = {
  picture: 'The picture only',
  console: 'The picture and the console',
  network: 'The picture and the network',
  all: 'The picture, the console and the network',
}

type MaskKind = Exclude<LinkMask['kind'], 'selector'>

export const maskKinds: readonly (readonly [MaskKind, string])[] = [
  ['text', 'All text'],
  ['inputs', 'All form fields'],
  ['images', 'All images'],
]

/** Names the part of the recording, or of the collection, that a link shows. */
export function partInWords({ start = null, end = null, names }: ShownLink): string {
  if (names !== undefined) return `The newest ${sharedRecordingsMax} recordings`
  if (start === null && end === null) return 'The whole recording'
  return `From ${inClock(start ?? 0)} to ${end === null ? 'the end' : inClock(end)}`
}

export function draftOf(link: ShownLink, zone: Zone): LinkDraft {
  const { start = null, end = null, shows, masks, expires_at, label, names } = link
  return {
    start: start === null ? '' : inClock(start),
    end: end === null ? '' : inClock(end),
    shows,
    kinds: masks.flatMap((mask) => (mask.kind === 'selector' ? [] : [mask.kind])),
    selectors: masks.flatMap((mask) => (mask.kind === 'selector' ? [mask.selector] : [])).join('\n'),
    expires: expires_at === null ? '' : fieldTime(Date.parse(expires_at), zone),
    password: '',
    label,
    names,
  }
}

function inClock(seconds: number): string {
  return clockTime(seconds * 1000)
}

/** Returns what is wrong with the positions, by field. */
export function draftErrors({ start, end }: LinkDraft): { start?: string; end?: string } {
  const [from, to] = [readClock(start), readClock(end)]
  const notTime = 'Write a time such as 0:16.'
  return {
    ...(start !== '' && from === null && { start: notTime }),
    ...(end !== '' && to === null && { end: notTime }),
    ...(from !== null && to !== null && to <= from && { end: 'The end must be after the start.' }),
  }
}

/** Returns the body of the request that saves the changed settings. */
export function changesOf(draft: LinkDraft, saved: LinkDraft, zone: Zone) {
  const isOther = (...names: (keyof LinkDraft)[]) =>
    names.some((name) => JSON.stringify(draft[name]) !== JSON.stringify(saved[name]))
  return {
    ...(isOther('label') && { label: draft.label?.trim() }),
    ...(isOther('names') && { names: draft.names }),
    ...(isOther('start') && { start: readClock(draft.start) }),
    ...(isOther('end') && { end: readClock(draft.end) }),
    ...(isOther('shows') && { shows: draft.shows }),
    ...(isOther('kinds', 'selectors') && { masks: masksOf(draft) }),
    ...(isOther('expires') && { expires_at: readFieldTime(draft.expires, zone) }),
    ...(draft.password !== '' && { password: draft.password }),
  }
}

/** Returns the masks of a form. */
export function masksOf({ kinds, selectors }: LinkDraft): LinkMask[] {
  return [
    ...kinds.map((kind) => ({ kind })),
    ...selectorsIn(selectors).map((selector) => ({ kind: 'selector' as const, selector })),
  ]
}

/** Returns the CSS selectors in a text, one per line. */
export function selectorsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Reads a position in a recording, such as `16`, `0:16` or `1:02:03`, as seconds; null if the text is no position. */
export function readClock(text: string): number | null {
  if (!/^\d+(?::[0-5]?\d){0,2}$/.test(text.trim())) return null
  return text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}
