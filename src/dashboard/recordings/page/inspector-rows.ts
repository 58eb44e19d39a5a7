import type { RecordingEvent } from '../../../contract/session-recording.ts'
import type { Mark } from '../player/player-messages.ts'
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
}

/** Merges captured events and marks in chronological order; `start` is in milliseconds since the epoch. */
export function inspectorRows(
  events: readonly RecordingEvent[],
  marks: readonly Mark[],
  start: number,
): InspectorRow[] {
  const markRows = marks.flatMap((mark, index) => rowOfMark(mark, `mark ${index}`) ?? [])
  return [...events.map((event) => rowOfEvent(event, start)), ...markRows].toSorted(
    (one, other) => one.at - other.at,
  )
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

function rowOfEvent({ uuid, event, timestamp, properties }: RecordingEvent, start: number): InspectorRow {
  const isException = event === '$exception'
  return {
    key: uuid,
    kind: 'event',
    at: Date.parse(timestamp) - start,
    symbol: isException ? '▲' : (symbols[event] ?? '◆'),
    text: eventInWords(event, properties),
    detail: JSON.stringify(properties, null, 2),
    tone: isException ? 'fail' : event === '$rageclick' ? 'warn' : 'plain',
  }
}

const symbols: Record<string, string> = {
  $pageview: '→',
  $screen: '→',
  $pageleave: '←',
  $autocapture: '●',
  $rageclick: '✺',
}

function eventInWords(event: string, properties: Record<string, unknown>): string {
  const property = (name: string) => {
    const value = properties[name]
    return typeof value === 'string' ? value : ''
  }
  switch (event) {
    case '$pageview':
      return `Opens ${property('$pathname') || property('$current_url')}`.trim()
    case '$screen':
      return `Opens ${property('$screen_name') || 'a screen'}`
    case '$pageleave':
      return `Leaves ${property('$pathname') || 'the page'}`
    case '$autocapture':
      return `${actionVerbs[property('$event_type')] ?? 'Uses'} ${property('$el_text') || 'something'}`
    case '$rageclick':
      return `Rage clicks on ${property('$el_text') || 'something'}`
    case '$exception':
      return property('$exception_message') || firstException(properties) || 'An exception'
    default:
      return event
  }
}

const actionVerbs: Record<string, string> = { click: 'Clicks', change: 'Changes', submit: 'Submits' }

function firstException(properties: Record<string, unknown>): string {
  const list = properties['$exception_list']
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  if (typeof first !== 'object' || first === null) return ''
  const { type, value }: { type?: unknown; value?: unknown } = first
  return [type, value].filter((part) => typeof part === 'string').join(': ')
}

function rowOfMark({ kind, at, text, detail }: Mark, key: string): InspectorRow | null {
  switch (kind) {
    // Captured events describe pages and clicks in more detail.
    case 'page':
    case 'click':
      return null
    case 'log':
      return { key, kind: 'console', at, symbol: '›', text, detail, tone: 'plain' }
    case 'warn':
      return { key, kind: 'console', at, symbol: '!', text, detail, tone: 'warn' }
    case 'error':
      return { key, kind: 'console', at, symbol: '▲', text, detail, tone: 'fail' }
    case 'request':
      return { key, kind: 'network', at, symbol: '⇅', text, detail, tone: 'plain' }
    case 'failed request':
      return { key, kind: 'network', at, symbol: '⇅', text, detail, tone: 'fail' }
    default:
      return kind satisfies never
  }
}
