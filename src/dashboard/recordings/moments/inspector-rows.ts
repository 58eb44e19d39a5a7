import type { NetworkRequest } from '../../../replay/recorded/network-request.ts'
import type { RecordingEvent } from '../../../contract/recordings/session-recording.ts'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import type { Mark } from '../player/player-messages.ts'
import { eventInWords, ownEvents } from './event-words.ts'
import type { RowFilter } from './inspector-params.ts'

export type RowKind = 'event' | 'console' | 'network'

/** One row of the events list; `at` is in milliseconds since the recording's start. */
export type InspectorRow = {
  key: string
  kind: RowKind
  at: number
  symbol: string
  text: string
  detail: string
  tone: 'plain' | 'warn' | 'fail'
  /** Whether posthog-js sent the request for itself. */
  isOwn?: boolean
}

/**
 * Merges captured events and marks in chronological order; `start` is in milliseconds since the epoch. Captured events describe
 * pages and clicks in more detail than marks, which stand in for them where none were captured.
 */
export function inspectorRows(
  events: readonly RecordingEvent[],
  marks: readonly Mark[],
  start: number,
): InspectorRow[] {
  const told = events.filter(
    // The next event already shows that the visitor left the page.
    ({ event }, index) => !ownEvents.has(event) && (event !== '$pageleave' || index === events.length - 1),
  )
  const has = { page: told.some(isPage), click: told.some(isClick) }
  const markRows = marks.flatMap((mark, index) => (isTold(mark, has) ? [] : rowOfMark(mark, `mark ${index}`)))
  return [...told.map((event) => rowOfEvent(event, start)), ...markRows].toSorted(
    (one, other) => one.at - other.at,
  )
}

function isTold({ kind }: Mark, has: { page: boolean; click: boolean }): boolean {
  if (kind === 'page') return has.page
  return (kind === 'click' || kind === 'rage click') && has.click
}

function isPage({ event }: RecordingEvent): boolean {
  return event === '$pageview' || event === '$screen'
}

function isClick({ event, properties }: RecordingEvent): boolean {
  return event === '$autocapture' && ['click', 'touch'].includes(String(properties['$event_type']))
}

/** Replaces each run of requests that succeeded by one row that lists them; requests of posthog-js alone get no row. */
export function foldRequests(rows: readonly InspectorRow[]): InspectorRow[] {
  const folded: InspectorRow[] = []
  let run: InspectorRow[] = []
  const endRun = () => {
    const [first] = run
    const count = run.filter(({ isOwn }) => !isOwn).length
    if (first && count > 0) folded.push(run.length === 1 ? first : requestGroup(first, run, count))
    run = []
  }
  for (const row of rows)
    if (row.kind === 'network' && row.tone === 'plain') run.push(row)
    else {
      endRun()
      folded.push(row)
    }
  endRun()
  return folded
}

function requestGroup(first: InspectorRow, all: readonly InspectorRow[], count: number): InspectorRow {
  return {
    ...first,
    text: `${counted(count, 'request')} succeeded`,
    detail: all.map(({ at, text }) => `${clockTime(at)}  ${text}`).join('\n'),
  }
}

/** Returns the rows that match the filter and the search text, ignoring case. */
export function filterRows(rows: readonly InspectorRow[], filter: RowFilter, search: string): InspectorRow[] {
  const searchText = search.trim().toLowerCase()
  return rows.filter(
    (row) =>
      passes(row, filter) &&
      (searchText === '' || `${row.text}\n${row.detail}`.toLowerCase().includes(searchText)),
  )
}

/** Returns the index of the latest row at or before a time; -1 before the first. Rows may be in any order. */
export function rowAt(rows: readonly { at: number }[], at: number): number {
  let found = -1
  for (const [index, row] of rows.entries())
    if (row.at <= at && row.at >= (rows[found]?.at ?? -Infinity)) found = index
  return found
}

function passes({ kind, tone }: InspectorRow, filter: RowFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'events':
      return kind === 'event'
    case 'console':
      return kind === 'console'
    case 'network':
      return kind === 'network'
    case 'errors':
      return tone === 'fail'
    default:
      return filter satisfies never
  }
}

function rowOfEvent(captured: RecordingEvent, start: number): InspectorRow {
  const { uuid, event, timestamp, properties } = captured
  const isException = event === '$exception'
  return {
    key: uuid,
    kind: 'event',
    at: Date.parse(timestamp) - start,
    symbol: isException ? '▲' : (symbols[event] ?? '◆'),
    text: eventInWords(captured),
    detail: JSON.stringify(properties, null, 2),
    tone: isException ? 'fail' : event === '$rageclick' || event === '$dead_click' ? 'warn' : 'plain',
  }
}

const symbols: Record<string, string> = {
  $pageview: '→',
  $screen: '→',
  $pageleave: '←',
  $autocapture: '●',
  $rageclick: '✺',
  $dead_click: '✺',
}

function rowOfMark({ kind, at, text, detail, request }: Mark, key: string): InspectorRow {
  switch (kind) {
    case 'page':
      return { key, kind: 'event', at, symbol: '→', text: `Went to ${text}`, detail, tone: 'plain' }
    case 'click':
      return { key, kind: 'event', at, symbol: '●', text: 'Clicked', detail, tone: 'plain' }
    case 'rage click':
      return { key, kind: 'event', at, symbol: '✺', text: 'Clicked again and again', detail, tone: 'warn' }
    case 'log':
      return { key, kind: 'console', at, symbol: '›', text, detail, tone: 'plain' }
    case 'warn':
      return { key, kind: 'console', at, symbol: '!', text, detail, tone: 'warn' }
    case 'error':
      return { key, kind: 'console', at, symbol: '▲', text, detail, tone: 'fail' }
    case 'request':
      return {
        key,
        kind: 'network',
        at,
        symbol: '⇅',
        text,
        detail,
        tone: 'plain',
        isOwn: isOwnRequest(request),
      }
    case 'failed request':
      return { key, kind: 'network', at, symbol: '▲', text: `Failed: ${text}`, detail, tone: 'fail' }
    default:
      return kind satisfies never
  }
}

/** The paths that posthog-js requests from its host. */
const ownPaths =
  /^\/(flags|decide|e|s|i\/v0\/e|batch|capture|engage|array\/[^/]+\/config(\.js)?|static\/(array|surveys|web-vitals|exception-autocapture|dead-clicks-autocapture|[\w-]*recorder)[\w.]*\.js)\/?$/

function isOwnRequest(request: NetworkRequest | undefined): boolean {
  return ownPaths.test(URL.parse(request?.url ?? '')?.pathname ?? '')
}
