import type { RecordingEvent } from '../../../contract/session-recording.ts'
import type { Mark } from '../player/player-messages.ts'
import type { RowFilter } from './inspector-search.ts'

export type RowKind = 'event' | 'console' | 'network'

/** Something that happened; `at` is milliseconds since the recording's start. */
export type InspectorRow = {
  key: string
  kind: RowKind
  at: number
  symbol: string
  text: string
  detail: string
  tone: 'plain' | 'warn' | 'fail'
}

/** What was captured and what the recording tells itself, in the order of time; `start` in milliseconds since the epoch. */
export function inspectorRows(
  events: readonly RecordingEvent[],
  marks: readonly Mark[],
  start: number,
): InspectorRow[] {
  const told = marks.flatMap((mark, index) => rowOfMark(mark, `mark ${index}`) ?? [])
  return [...events.map((event) => rowOfEvent(event, start)), ...told].toSorted(
    (one, other) => one.at - other.at,
  )
}

/** The rows that a filter and a search leave; the search is in any case of letters. */
export function filterRows(rows: readonly InspectorRow[], filter: RowFilter, search: string): InspectorRow[] {
  const sought = search.trim().toLowerCase()
  return rows.filter(
    (row) =>
      passes(row, filter) && (sought === '' || `${row.text}\n${row.detail}`.toLowerCase().includes(sought)),
  )
}

/** The index of the last row that has happened at a moment; -1 before the first. */
export function rowAt(rows: readonly InspectorRow[], at: number): number {
  return rows.findLastIndex((row) => row.at <= at)
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
  $pageleave: '←',
  $autocapture: '●',
  $rageclick: '✺',
}

function eventInWords(event: string, properties: Record<string, unknown>): string {
  const said = (name: string) => {
    const value = properties[name]
    return typeof value === 'string' ? value : ''
  }
  switch (event) {
    case '$pageview':
      return `Opens ${said('$pathname') || said('$current_url')}`.trim()
    case '$pageleave':
      return `Leaves ${said('$pathname') || 'the page'}`
    case '$autocapture':
      return `${deeds[said('$event_type')] ?? 'Uses'} ${said('$el_text') || 'something'}`
    case '$rageclick':
      return `Rage clicks on ${said('$el_text') || 'something'}`
    case '$exception':
      return said('$exception_message') || firstException(properties) || 'An exception'
    default:
      return event
  }
}

const deeds: Record<string, string> = { click: 'Clicks', change: 'Changes', submit: 'Submits' }

function firstException(properties: Record<string, unknown>): string {
  const list = properties['$exception_list']
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  if (typeof first !== 'object' || first === null) return ''
  const { type, value }: { type?: unknown; value?: unknown } = first
  return [type, value].filter((part) => typeof part === 'string').join(': ')
}

function rowOfMark({ kind, at, text, detail }: Mark, key: string): InspectorRow | null {
  switch (kind) {
    // Captured events tell of pages and clicks, and with more words.
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
