import { z } from 'zod'
import type { QueryInput } from '../../../contract/endpoints.ts'
import {
  EventFilter,
  mentionsMax,
  PropertyFilter,
  RecordingListQuery,
  RequestFilter,
} from '../../../contract/recordings/recording-filter.ts'
import { preferences } from '../../format/preferences.ts'

const { date_from, date_to, order, order_direction, person_uuid, snapshot_source, collection } =
  RecordingListQuery.shape

/** Parameters of the API that the list's URL does not contain: the page, and the zone, which the viewer's browser adds. */
type Unlisted = 'limit' | 'offset' | 'timezone'

/** The list's search parameters: the API's filters by name. Invalid values are dropped. */
export const RecordingsSearch = z.object({
  search: z.coerce.string().max(200).catch('').default(''),
  date_from: date_from.catch(undefined),
  date_to: date_to.catch(undefined),
  order: order.catch('start_time'),
  order_direction: order_direction.catch('DESC'),
  distinct_ids: listOf(z.string()),
  mentions: z.array(z.string().min(1).max(500)).max(mentionsMax).catch([]).default([]),
  person_uuid: person_uuid.catch(undefined),
  snapshot_source: snapshot_source.catch(undefined),
  events: listOf(EventFilter),
  properties: listOf(PropertyFilter),
  console_log_filters: listOf(PropertyFilter),
  failed_request_filters: listOf(RequestFilter),
  actions: listOf(EventFilter),
  session_ids: z.array(z.string()).max(10_000).catch([]).default([]),
  collection: collection.catch(undefined),
} satisfies Record<Exclude<keyof RecordingListQuery, Unlisted>, z.ZodType>)
export type RecordingsSearch = z.output<typeof RecordingsSearch>

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(20).catch([]).default([])
}

const orderDefaults = { order: 'start_time', order_direction: 'DESC' } as const

/** Values of the filter parameters that show all rows. */
export const noFilters = Object.fromEntries(
  Object.keys(RecordingsSearch.shape).flatMap((name) => (name in orderDefaults ? [] : [[name, undefined]])),
) as Partial<RecordingsSearch>

export function isFiltered(search: RecordingsSearch): boolean {
  return Object.keys(withoutDefaults({ ...search, ...orderDefaults })).length > 0
}

/** Returns the search parameters without defaults, as the URL contains them. */
export function withoutDefaults<Search extends Partial<Record<keyof RecordingsSearch, unknown>>>(
  search: Search,
): Partial<Search> {
  const defaults: Partial<Record<string, unknown>> = orderDefaults
  const given = Object.entries(search).filter(([name, value]) => {
    if (value === undefined || value === '' || value === defaults[name]) return false
    return !Array.isArray(value) || value.length > 0
  })
  return Object.fromEntries(given) as Partial<Search>
}

/** Returns the search parameters that are not valid and so do not filter, as in a URL: `date_from=yesterday`. */
export function invalidParameters(address: Partial<Record<keyof RecordingsSearch, unknown>>): string[] {
  const used = withoutDefaults(RecordingsSearch.parse(address))
  const known = Object.entries(withoutDefaults(address)).filter(([name]) => name in RecordingsSearch.shape)
  return known.flatMap(([name, value]) =>
    name in used ? [] : `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
}

export type RecordingFilter = Omit<Partial<QueryInput<'listSessionRecordings'>>, 'limit' | 'offset'>

/** Returns the search parameters as the API expects them: lists as JSON, and the zone of days. */
export function asFilter(search: Partial<RecordingsSearch>): RecordingFilter {
  const parameters = Object.entries(withoutDefaults(search)).map(([name, value]) => [
    name,
    Array.isArray(value) ? JSON.stringify(value) : value,
  ])
  const hasDays = [search.date_from, search.date_to].some((date) => /d(?:Start|End)$/.test(date ?? ''))
  return { ...Object.fromEntries(parameters), ...(hasDays && { timezone: zoneOfDays() }) }
}

/** Returns a filter without its order, which not all endpoints accept. */
export function withoutOrder({ order: _, order_direction: __, ...filter }: RecordingFilter) {
  return filter
}

function zoneOfDays(): string {
  return preferences().zone === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Returns the list's query string, for links back to the list. */
export function listAddress(search: RecordingsSearch): string {
  return queryString(asFilter(search))
}

export function queryString(filter: RecordingFilter): string {
  return new URLSearchParams(filter as Record<string, string>).toString()
}
