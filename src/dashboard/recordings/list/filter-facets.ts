import type { PropertyFilter } from '../../../contract/recording-filter.ts'
import type { SnapshotSource } from '../../../contract/session-recording.ts'
import type { RecordingsSearch } from '../../queries/recordings-search.ts'

export const consoleLevels = ['log', 'warn', 'error', 'exception'] as const

/** The filters that a form offers; '' is no filter. Any other filter of the address is kept beside them. */
export type Facets = {
  event: string
  level: string
  message: string
  person: string
  source: SnapshotSource | ''
  /** At least so many, as typed. */
  recording_duration: string
  click_count: string
  console_error_count: string
}

/** What a recording must have at least. */
export const leastKeys = ['recording_duration', 'click_count', 'console_error_count'] as const
export type LeastKey = (typeof leastKeys)[number]

export function readFacets(search: RecordingsSearch): Facets {
  const least = (key: LeastKey) =>
    String(search.properties.find((filter) => isLeast(filter, key))?.value ?? '')
  return {
    event: String(search.events.find(isPlainEvent)?.id ?? ''),
    level: String(search.console_log_filters.find(isLevel)?.value ?? ''),
    message: String(search.console_log_filters.find(isMessage)?.value ?? ''),
    person: search.distinct_ids[0] ?? '',
    source: search.snapshot_source ?? '',
    recording_duration: least('recording_duration'),
    click_count: least('click_count'),
    console_error_count: least('console_error_count'),
  }
}

/** The filters as a form says them, beside those that it does not know. */
export function withFacets(search: RecordingsSearch, facets: Facets): Partial<RecordingsSearch> {
  const { event, level, message, person, source } = facets
  const numbers = leastKeys.filter((key) => facets[key] !== '')
  return {
    events: [
      ...search.events.filter((filter) => filter !== search.events.find(isPlainEvent)),
      ...(event === '' ? [] : [{ id: event }]),
    ],
    console_log_filters: [
      ...search.console_log_filters.filter((filter) => !isLevel(filter) && !isMessage(filter)),
      ...(level === '' ? [] : [consoleFilter('level', level)]),
      ...(message === '' ? [] : [consoleFilter('message', message)]),
    ],
    properties: [
      ...search.properties.filter((filter) => !leastKeys.some((key) => isLeast(filter, key))),
      ...numbers.map((key) => leastFilter(key, Number(facets[key]))),
    ],
    distinct_ids: person === '' ? [] : [person],
    snapshot_source: source === '' ? undefined : source,
  }
}

/** A level is meant exactly, a message by a part of it. */
export function consoleFilter(key: 'level' | 'message', value: string): PropertyFilter {
  return { type: 'log_entry', key, value, operator: key === 'level' ? 'exact' : 'icontains' }
}

function leastFilter(key: LeastKey, value: number): PropertyFilter {
  return { type: 'recording', key, operator: 'gte', value }
}

export function isLeast({ type, key, operator, value }: PropertyFilter, of: LeastKey): boolean {
  return type === 'recording' && key === of && operator === 'gte' && Number.isFinite(Number(value ?? NaN))
}

function isLevel({ key, operator, value }: PropertyFilter): boolean {
  return key === 'level' && operator === 'exact' && typeof value === 'string'
}

function isMessage({ key, operator, value }: PropertyFilter): boolean {
  return key === 'message' && operator === 'icontains' && typeof value === 'string'
}

function isPlainEvent({ id, properties = [] }: RecordingsSearch['events'][number]): boolean {
  return id !== null && properties.length === 0
}
