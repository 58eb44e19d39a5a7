import type { PropertyFilter, RequestFilter } from '../../../contract/recording-filter.ts'
import type { SnapshotSource } from '../../../contract/snapshot-source.ts'
import type { RecordingsSearch } from '../../queries/recordings-search.ts'

export const consoleLevels = ['log', 'warn', 'error', 'exception'] as const

/** The filters that the form offers; '' means no filter. Other filters in the URL are kept. */
export type Facets = {
  event: string
  level: string
  message: string
  person: string
  source: SnapshotSource | ''
  /** Minimum, as typed; a duration is in seconds. */
  recording_duration: string
  click_count: string
  console_error_count: string
  failed_request_count: string
  /** Parts of the host of a failed request. */
  host: string
  /** The status of a failed request, as typed. */
  status: string
}

/** The filters that set a minimum. */
export const minimumKeys = [
  'recording_duration',
  'click_count',
  'console_error_count',
  'failed_request_count',
] as const
export type MinimumKey = (typeof minimumKeys)[number]

/** Whether a minimum, as typed, is empty or a whole number that is not negative. */
export function isMinimumValid(text: string): boolean {
  return text === '' || /^\d{1,15}$/.test(text)
}

export function readFacets(search: RecordingsSearch): Facets {
  const minimum = (key: MinimumKey) =>
    String(search.properties.find((filter) => isMinimum(filter, key))?.value ?? '')
  return {
    event: String(search.events.find(isPlainEvent)?.id ?? ''),
    level: String(search.console_log_filters.find(isLevel)?.value ?? ''),
    message: String(search.console_log_filters.find(isMessage)?.value ?? ''),
    person: search.distinct_ids[0] ?? '',
    source: search.snapshot_source ?? '',
    recording_duration: minimum('recording_duration'),
    click_count: minimum('click_count'),
    console_error_count: minimum('console_error_count'),
    failed_request_count: minimum('failed_request_count'),
    host: String(search.failed_request_filters.find(isHost)?.value ?? ''),
    status: String(search.failed_request_filters.find(isStatus)?.value ?? ''),
  }
}

/** Returns the search with the form's filters; filters that the form does not offer stay unchanged. */
export function withFacets(search: RecordingsSearch, facets: Facets): Partial<RecordingsSearch> {
  const { event, level, message, person, source, host, status } = facets
  const numbers = minimumKeys.filter((key) => facets[key] !== '')
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
    failed_request_filters: [
      ...search.failed_request_filters.filter((filter) => !isHost(filter) && !isStatus(filter)),
      ...(host === '' ? [] : [{ key: 'host' as const, operator: 'icontains' as const, value: host }]),
      ...(status === ''
        ? []
        : [{ key: 'status' as const, operator: 'exact' as const, value: Number(status) }]),
    ],
    properties: [
      ...search.properties.filter((filter) => !minimumKeys.some((key) => isMinimum(filter, key))),
      ...numbers.map((key) => minimumFilter(key, Number(facets[key]))),
    ],
    distinct_ids: person === '' ? [] : [person],
    snapshot_source: source === '' ? undefined : source,
  }
}

/** Returns a console filter: levels match exactly, messages by substring. */
export function consoleFilter(key: 'level' | 'message', value: string): PropertyFilter {
  return { type: 'log_entry', key, value, operator: key === 'level' ? 'exact' : 'icontains' }
}

function minimumFilter(key: MinimumKey, value: number): PropertyFilter {
  return { type: 'recording', key, operator: 'gte', value }
}

export function isMinimum({ type, key, operator, value }: PropertyFilter, of: MinimumKey): boolean {
  return type === 'recording' && key === of && operator === 'gte' && Number.isFinite(Number(value ?? NaN))
}

function isLevel({ key, operator, value }: PropertyFilter): boolean {
  return key === 'level' && operator === 'exact' && typeof value === 'string'
}

function isMessage({ key, operator, value }: PropertyFilter): boolean {
  return key === 'message' && operator === 'icontains' && typeof value === 'string'
}

function isHost({ key, operator, value }: RequestFilter): boolean {
  return key === 'host' && operator === 'icontains' && typeof value === 'string'
}

function isStatus({ key, operator, value }: RequestFilter): boolean {
  return key === 'status' && operator === 'exact' && (typeof value === 'number' || typeof value === 'string')
}

function isPlainEvent({ id, properties = [] }: RecordingsSearch['events'][number]): boolean {
  return id !== null && properties.length === 0
}
