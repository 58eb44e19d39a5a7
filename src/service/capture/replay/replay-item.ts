import { networkRequests, redactNetworkEvent } from '../../../contract/network-request.ts'
import { EventType, isActive, type ConsoleLevel, type RecordedEvent } from '../../../contract/rrweb.ts'
import type { SnapshotSource } from '../../../contract/session-recording.ts'
import { consoleEventLevel, consoleMessage } from '../../recordings/replay/replay-console.ts'
import { replayEventFault } from '../../recordings/replay/replay-event-fault.ts'
import { countEvents, type RecordingCounts } from '../../recordings/replay/recording-counts.ts'
import { CaptureError } from '../capture-error.ts'
import { safeText } from '../../engines/safe-text.ts'
import { clientUuid, uuidOfText } from '../persons/person-id.ts'

/** Content of one `$snapshot` item; it has at least one line. */
export type ReplayItem = {
  /** The client's UUID, or one derived from the content, so that a retried item has the same. */
  uuid: string
  sessionId: string
  windowId: string
  lines: readonly ReplayLine[]
  /** Bytes of the lines. */
  size: number
  counts: RecordingCounts
  consoleEntries: readonly ConsoleEntry[]
  failedRequests: readonly FailedRequest[]
  /** Times of the full snapshots, in milliseconds since the epoch. */
  fullSnapshots: readonly number[]
  /** Time of the visitor's last action, in milliseconds since the epoch; null if there is none. */
  activeUntil: number | null
}

/** JSON text `["<window id>", <rrweb event>]`, as stored and served. */
export type ReplayLine = { timestamp: number; text: string }

export type ConsoleEntry = {
  /** Milliseconds since the epoch. */
  timestamp: number
  level: ConsoleLevel
  message: string
  /** Index among the item's events. */
  position: number
}

export type FailedRequest = {
  /** Milliseconds since the epoch. */
  timestamp: number
  /** "" if the URL has none. */
  host: string
  /** 0 without a response. */
  status: number
  /** Index among the item's failed requests. */
  position: number
}

type Properties = Record<string, unknown>

const windowIdLengthMax = 200

/**
 * Reads a `$snapshot` item, leaving compressed parts compressed and removing secrets from recorded requests. Returns null
 * for an item without events, which some clients send.
 * @param sizeMax bytes of the item's lines.
 * @throws CaptureError 400, or 413 beyond `sizeMax`.
 */
export function replayItem(
  { uuid, properties, distinctId }: { uuid: unknown; properties: Properties; distinctId: string },
  sizeMax: number,
): ReplayItem | null {
  const events = eventsOf(properties).map(redactNetworkEvent)
  const sessionId = sessionIdOf(properties)
  const windowId = windowIdOf(properties, sessionId)
  if (events.length === 0) return null
  const { lines, size } = linesOf(events, windowId, sizeMax)
  const failedRequests = events.flatMap(failedIn).map((request, position) => ({ ...request, position }))
  const source: SnapshotSource = properties['$snapshot_source'] === 'mobile' ? 'mobile' : 'web'
  return {
    uuid: clientUuid(uuid) ?? uuidOfText([distinctId, source, ...lines.map(({ text }) => text)].join('\n')),
    sessionId,
    windowId,
    lines,
    size,
    counts: countEvents(events, { distinctId, source, failedRequests: failedRequests.length }),
    consoleEntries: events.flatMap(consoleEntry),
    failedRequests,
    fullSnapshots: timesOf(events.filter(({ type }) => type === EventType.FullSnapshot)),
    activeUntil: timesOf(events.filter(isActive)).at(-1) ?? null,
  }
}

/** Returns the times of events, ascending. */
function timesOf(events: readonly RecordedEvent[]): number[] {
  return events.map(({ timestamp }) => timestamp).toSorted((one, other) => one - other)
}

function eventsOf({ $snapshot_data: data }: Properties): RecordedEvent[] {
  if (typeof data !== 'object' || data === null) {
    throw new CaptureError(400, 'replay event submitted without snapshot data')
  }
  const events: unknown[] = Array.isArray(data) ? data : [data]
  for (const event of events) {
    const fault = replayEventFault(event)
    if (fault) throw new CaptureError(400, `replay event submitted with invalid snapshot data: ${fault}`)
  }
  return events as RecordedEvent[]
}

function sessionIdOf({ $session_id: session }: Properties): string {
  if (session === undefined || session === null || session === '') {
    throw new CaptureError(400, 'replay event submitted without session id')
  }
  if (typeof session !== 'string' || !/^[\w.:-]{1,100}$/.test(session)) {
    throw new CaptureError(400, 'replay event submitted with an invalid session id')
  }
  return session
}

function windowIdOf({ $window_id: window }: Properties, sessionId: string): string {
  if (window === undefined || window === null || window === '') return sessionId
  if (typeof window !== 'string') {
    throw new CaptureError(400, 'replay event submitted with an invalid window id')
  }
  return safeText(window, windowIdLengthMax)
}

function linesOf(events: readonly RecordedEvent[], windowId: string, sizeMax: number) {
  const start = `[${JSON.stringify(windowId)},`
  const lines: ReplayLine[] = []
  let size = 0
  for (const event of events) {
    const text = `${start}${JSON.stringify(event)}]`
    // Numbers can grow when serialised: 1e20 becomes 21 digits.
    size += Buffer.byteLength(text) + 1
    if (size > sizeMax) throw new CaptureError(413, 'request contains too much replay data')
    lines.push({ timestamp: event.timestamp, text })
  }
  return { lines, size }
}

function consoleEntry(event: RecordedEvent, position: number): ConsoleEntry[] {
  const level = consoleEventLevel(event)
  if (!level) return []
  const message = safeText(consoleMessage(event), Infinity)
  return [{ timestamp: Math.floor(event.timestamp), level, message, position }]
}

function failedIn(event: RecordedEvent): Omit<FailedRequest, 'position'>[] {
  return networkRequests(event)
    .filter(({ hasFailed }) => hasFailed)
    .map(({ url, status }) => ({
      timestamp: Math.floor(event.timestamp),
      host: safeText(URL.parse(url)?.hostname ?? '', Infinity),
      status: status ?? 0,
    }))
}
