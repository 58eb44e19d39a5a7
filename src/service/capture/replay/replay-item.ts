import { networkRequests, redactNetworkEvent } from '../../../replay/recorded/network-request.ts'
import { EventType, isActive, type RecordedEvent } from '../../../replay/recorded/rrweb.ts'
import type { SnapshotSource } from '../../../contract/recordings/snapshot-source.ts'
import { consoleEventLevel, consoleMessage } from '../../snapshots/replay-console.ts'
import { isPossibleTime, isReplayEvent } from '../../snapshots/is-replay-event.ts'
import { countEvents } from '../../snapshots/recording-counts.ts'
import { CaptureError } from '../capture-error.ts'
import { safeText } from '../../engines/safe-text.ts'
import { clientUuid, uuidOfText } from '../persons/person-id.ts'
import { FollowedPages } from '../../masking/followed-pages.ts'
import type { Sources } from '../parse-snapshots.ts'
import { keepsProperties, masksPages, withoutPrivateContent, type CapturePrivacy } from '../private-values.ts'
import { linesOf, sizeOf, textsOf } from './item-lines.ts'
import { clockLag, steadyTimes } from './sender-clock.ts'

/** Content of one `$snapshot` item. */
export type ReplayItem = ReturnType<typeof contentOf> & {
  /** The client's UUID, or one derived from the content, so that a retried item has the same. */
  uuid: string
  sessionId: string
  windowId: string
  distinctId: string
  source: SnapshotSource
  /** Number of invalid events, which were left out. */
  dropped: number
  /** How far (ms) the sender's clock is behind the service's; null if unknown. */
  clockLag: number | null
}

type Properties = Record<string, unknown>

const windowIdLengthMax = 200

/** Of this thread, which decodes all recordings of projects with selectors. */
export const followedPages = new FollowedPages()

type Sent = {
  /** Of the project. */
  token: string
  uuid: unknown
  properties: Properties
  distinctId: string
  /** By the sender's clock, in milliseconds; null if unknown. */
  sentAt: number | null
  timestamp: number | null
  /** Milliseconds between capturing and sending the item. */
  offset: number
  privacy: CapturePrivacy
  sources: Sources | undefined
}

/**
 * Reads a `$snapshot` item, leaving compressed parts compressed and removing secrets from recorded requests. Drops invalid
 * events instead of the item, because posthog-js would not send the valid ones again. Returns null for an item without events, which
 * some clients send.
 * @param sizeMax bytes of the item's lines.
 * @param now time of receipt, in milliseconds.
 * @throws CaptureError 400, or 413 beyond `sizeMax`.
 */
export function replayItem(sent: Sent, sizeMax: number, now: number): ReplayItem | null {
  const { properties, distinctId } = sent
  const moments = possibleMoments(sent, now)
  const given = eventsOf(properties)
  const sessionId = sessionIdOf(properties)
  const windowId = windowIdOf(properties, sessionId)
  if (given.length === 0) return null
  const { masked_selectors: selectors } = sent.privacy
  const page =
    selectors.length > 0 ? followedPages.of([sent.token, sessionId, windowId].join('\n'), selectors) : null
  const kept = given
    .filter(isReplayEvent)
    .map((event) => withoutPrivateContent(redactNetworkEvent(event), sent.privacy, page))
  const events = withSteadyTimes(kept, moments.sentAt, now)
  const source: SnapshotSource = properties['$snapshot_source'] === 'mobile' ? 'mobile' : 'web'
  const uuid = clientUuid(sent.uuid)
  // Without a uuid, the text says whether an item is a repeat: it must not depend on how the client writes JSON.
  const sources = uuid === null ? undefined : sourcesToStore(sent)
  const content = contentOf(events, windowId, { distinctId, source }, sizeMax, sources)
  const latest = events.at(-1)?.timestamp
  return {
    uuid: uuid ?? uuidOfText([distinctId, source, ...textsOf(content.lines)].join('\n')),
    sessionId,
    windowId,
    distinctId,
    source,
    ...content,
    dropped: given.length - events.length,
    clockLag: latest === undefined ? null : clockLag({ ...moments, latest }, now),
  }
}

/**
 * Returns the JSON of snapshots as sent; undefined if the project removes or masks anything, because a key that JSON repeats could
 * hide a text.
 */
function sourcesToStore({ sources, privacy }: Sent): Sources | undefined {
  return keepsProperties(privacy) && !masksPages(privacy) ? sources : undefined
}

type SentMoments = Pick<Sent, 'sentAt' | 'timestamp' | 'offset'>

/** Leaves out what the sender cannot mean. */
function possibleMoments({ sentAt, timestamp, offset }: SentMoments, now: number): SentMoments {
  return {
    sentAt: sentAt !== null && isPossibleTime(sentAt) ? sentAt : null,
    timestamp: timestamp !== null && isPossibleTime(timestamp) ? timestamp : null,
    offset: isPossibleTime(now - offset) ? offset : 0,
  }
}

type Visitor = { distinctId: string; source: SnapshotSource }

/** Returns what an item stores of its valid events. */
export function contentOf(
  events: readonly RecordedEvent[],
  windowId: string,
  visitor: Visitor,
  sizeMax: number,
  sources?: Sources,
) {
  const failedRequests = events.flatMap(failedIn)
  const lines = linesOf(events, windowId, sizeMax, sources)
  return {
    lines,
    /** Bytes of the lines. */
    size: sizeOf(lines),
    /** Null if there are no lines. */
    counts:
      events.length > 0 ? countEvents(events, { ...visitor, failedRequests: failedRequests.length }) : null,
    consoleEntries: events.flatMap(consoleEntry),
    failedRequests,
    /** Times of the full snapshots, in milliseconds since the epoch. */
    fullSnapshots: timesOf(events.filter(({ type }) => type === EventType.FullSnapshot)),
    /** Time of the visitor's last action, in milliseconds since the epoch; null without any action. */
    activeUntil: timesOf(events.filter(isActive)).at(-1) ?? null,
  }
}

/** Returns the item with all times moved by `ms`; the item itself if one of them would become impossible. */
export function moveItem(item: ReplayItem, ms: number): ReplayItem {
  const ends = item.counts ? [item.counts.start_time, item.counts.end_time] : []
  if (!ends.every((end) => isPossibleTime(end.getTime() + ms))) return item
  const events = textsOf(item.lines).map((line) => {
    const [, event] = JSON.parse(line) as [string, RecordedEvent]
    return { ...event, timestamp: event.timestamp + ms }
  })
  return { ...item, ...contentOf(events, item.windowId, item, Infinity) }
}

/** Returns the times of events, ascending. */
function timesOf(events: readonly RecordedEvent[]): number[] {
  return events.map(({ timestamp }) => timestamp).toSorted((one, other) => one - other)
}

function eventsOf({ $snapshot_data: data }: Properties): unknown[] {
  if (typeof data !== 'object' || data === null)
    throw new CaptureError(400, 'replay event submitted without snapshot data')
  return Array.isArray(data) ? data : [data]
}

function withSteadyTimes(events: readonly RecordedEvent[], sentAt: number | null, now: number) {
  const times = steadyTimes(
    events.map(({ timestamp }) => timestamp),
    sentAt,
    now,
  )
  return events.map((event, index) => {
    const timestamp = times[index] ?? event.timestamp
    return timestamp === event.timestamp || !isPossibleTime(timestamp) ? event : { ...event, timestamp }
  })
}

function sessionIdOf({ $session_id: session }: Properties): string {
  if (session === undefined || session === null || session === '')
    throw new CaptureError(400, 'replay event submitted without session id')
  if (typeof session !== 'string' || !/^[\w.:-]{1,100}$/.test(session))
    throw new CaptureError(400, 'replay event submitted with an invalid session id')
  return session
}

function windowIdOf({ $window_id: window }: Properties, sessionId: string): string {
  if (window === undefined || window === null || window === '') return sessionId
  if (typeof window !== 'string')
    throw new CaptureError(400, 'replay event submitted with an invalid window id')
  return safeText(window, windowIdLengthMax)
}

/** `position`: index among the item's events. */
function consoleEntry(event: RecordedEvent, position: number) {
  const level = consoleEventLevel(event)
  if (!level) return []
  const message = safeText(consoleMessage(event), Infinity)
  return [{ timestamp: Math.floor(event.timestamp), level, message, position }]
}

/** Returns the failed requests: `host` is "" if the URL has none, `status` 0 if there was no response. */
function failedIn(event: RecordedEvent) {
  return networkRequests(event)
    .filter(({ hasFailed }) => hasFailed)
    .map(({ url, status }) => ({
      host: safeText(URL.parse(url)?.hostname ?? '', Infinity),
      status: status ?? 0,
    }))
}
