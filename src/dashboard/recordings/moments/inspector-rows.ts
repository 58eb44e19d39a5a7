import type { RecordingEvent } from '../../../contract/recordings/session-recording.ts'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import type { Mark, MarkKind } from '../player/player-messages.ts'
import { eventInWords, ownEvents } from './event-words.ts'
import type { RowFilter } from './inspector-params.ts'

/** One row of the events list; `at` is in milliseconds since the recording's start. */
export type InspectorRow = {
  key: string
  kind: 'events' | 'console' | 'network'
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
export function inspectorRows(events: readonly RecordingEvent[], marks: readonly Mark[], start: number) {
  const told = events.filter(
    // The next event already shows that the visitor left the page.
    ({ event }, index) => !ownEvents.has(event) && (event !== '$pageleave' || index === events.length - 1),
  )
  const hasPage = told.some(({ event }) => event === '$pageview' || event === '$screen')
  const hasClick = told.some(
    ({ event, properties }) =>
      event === '$autocapture' && ['click', 'touch'].includes(String(properties['$event_type'])),
  )
  const isTold = ({ kind }: Mark) =>
    kind === 'page' ? hasPage : hasClick && (kind === 'click' || kind === 'rage click')
  const rows = [
    ...told.map((event) => rowOfEvent(event, start)),
    ...marks.flatMap((mark, index) => (isTold(mark) ? [] : [rowOfMark(mark, `mark ${index}`)])),
  ]
  return rows.toSorted((one, other) => one.at - other.at)
}

/** Replaces each run of requests that succeeded by one row that lists them; requests of posthog-js alone get no row. */
function foldRequests(rows: readonly InspectorRow[]): InspectorRow[] {
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

/** Returns the rows that match the filter and the search text, ignoring case; without either, requests are folded. */
export function selectRows(rows: readonly InspectorRow[], filter: RowFilter, search: string) {
  const searchText = search.trim().toLowerCase()
  if (filter === 'all' && search === '') return foldRequests(rows)
  return rows.filter(
    ({ kind, tone, text, detail }) =>
      (filter === 'all' || filter === kind || (filter === 'errors' && tone === 'fail')) &&
      `${text}\n${detail}`.toLowerCase().includes(searchText),
  )
}

/** Returns the index of the latest row at or before a time; -1 before the first. Rows may be in any order. */
export function rowAt(rows: readonly { at: number }[], at: number): number {
  let found = -1
  for (const [index, row] of rows.entries())
    if (row.at <= at && row.at >= (rows[found]?.at ?? -Infinity)) found = index
  return found
}

function rowOfEvent(captured: RecordingEvent, start: number): InspectorRow {
  const { uuid, event, timestamp, properties } = captured
  const isException = event === '$exception'
  return {
    key: uuid,
    kind: 'events',
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

const looks: Record<MarkKind, Pick<InspectorRow, 'kind' | 'symbol' | 'tone'>> = {
  page: { kind: 'events', symbol: '→', tone: 'plain' },
  click: { kind: 'events', symbol: '●', tone: 'plain' },
  'rage click': { kind: 'events', symbol: '✺', tone: 'warn' },
  log: { kind: 'console', symbol: '›', tone: 'plain' },
  warn: { kind: 'console', symbol: '!', tone: 'warn' },
  error: { kind: 'console', symbol: '▲', tone: 'fail' },
  request: { kind: 'network', symbol: '⇅', tone: 'plain' },
  'failed request': { kind: 'network', symbol: '▲', tone: 'fail' },
}

function rowOfMark({ kind, at, text, detail, request }: Mark, key: string): InspectorRow {
  const words: Partial<Record<MarkKind, string>> = {
    page: `Went to ${text}`,
    click: 'Clicked',
    'rage click': 'Clicked again and again',
    'failed request': `Failed: ${text}`,
  }
  const isOwn = ownPaths.test(URL.parse(request?.url ?? '')?.pathname ?? '')
  return { key, at, ...looks[kind], text: words[kind] ?? text, detail, isOwn }
}

/** The paths that posthog-js requests from its host. */
const ownPaths =
  /^\/(flags|decide|e|s|i\/v0\/e|batch|capture|engage|array\/[^/]+\/config(\.js)?|static\/(array|surveys|web-vitals|exception-autocapture|dead-clicks-autocapture|[\w-]*recorder)[\w.]*\.js)\/?$/
