import type {
  EventFilter,
  PropertyFilter,
  RecordingFilter,
  RequestFilter,
} from '../../../contract/recordings/recording-filter.ts'
import type { Row } from '../../engines/clickhouse/clickhouse.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { readComparison, type Comparison } from './filter-comparison.ts'

/** Collects the parameters of a ClickHouse statement; `bind` adds a value and returns its placeholder. */
export class Bindings {
  readonly params: Row = {}

  bind(type: 'String' | 'Array(String)' | 'Float64' | 'Int64' | 'Array(Int64)' | 'UUID', value: unknown) {
    const name = `value_${Object.keys(this.params).length}`
    this.params[name] = value
    return `{${name}: ${type}}`
  }
}

/** Returns a condition on `events` that matches an event and its properties. @throws ApiError 400 on `attr`. */
export function eventSql(bindings: Bindings, event: EventFilter, attr: 'events' | 'actions'): string {
  const conditions = namesSql(bindings, event, attr)
  for (const filter of event.properties ?? []) conditions.push(propertySql(bindings, filter, attr))
  return conditions.length > 0 ? conditions.join(' AND ') : '1'
}

/** Returns a condition on `events` for each event and action of a filter. @throws ApiError 400 naming the parameter. */
export function namedEventsSql(
  bindings: Bindings,
  { events = [], actions = [] }: Pick<RecordingFilter, 'events' | 'actions'>,
) {
  return [
    ...events.map((event) => eventSql(bindings, event, 'events')),
    ...actions.map((action) => eventSql(bindings, action, 'actions')),
  ]
}

/** Returns a condition on a team's `event_properties` that matches an event and its properties. @throws ApiError 400 on `attr`. */
export function gatheredEventSql(
  bindings: Bindings,
  event: EventFilter,
  attr: 'events' | 'actions',
  team: string,
): string {
  const conditions = namesSql(bindings, event, attr)
  for (const filter of event.properties ?? []) conditions.push(gatheredSql(bindings, filter, attr, team))
  return conditions.join(' AND ')
}

function namesSql(bindings: Bindings, event: EventFilter, attr: 'events' | 'actions'): string[] {
  const names = attr === 'events' ? [event.id] : [event.name, event.id]
  const known = names.filter((name) => name !== null && name !== undefined).map(String)
  return known.length > 0 ? [`event IN ${bindings.bind('Array(String)', known)}`] : []
}

/**
 * Returns a condition on `events` for a property of the event, or of its person at the time of the event.
 * @throws ApiError 400 on `attr`.
 */
export function propertySql(bindings: Bindings, filter: PropertyFilter, attr: string): string {
  const { type, key } = filter
  if (type === 'recording' || type === 'log_entry')
    throw invalidInput(`A filter of type "${type}" does not apply to events.`, [attr])
  const column = type === 'person' ? 'person_properties' : 'properties'
  const text = `JSONExtract(${column}, ${bindings.bind('String', key)}, 'Nullable(String)')`
  return comparisonSql(bindings, text, readComparison(filter, attr))
}

/** Returns a condition on a team's `session_properties` or `event_properties` that matches a property. @throws ApiError 400 on `attr`. */
export function gatheredSql(bindings: Bindings, filter: PropertyFilter, attr: string, team: string): string {
  const comparison = readComparison(filter, attr)
  const ofKey = `key = ${bindings.bind('String', filter.key)}`
  const condition = `${ofKey} AND ${comparisonSql(bindings, 'value', comparison)}`
  if (comparison.kind === 'exact' || comparison.kind === 'is_set') return condition
  // Far fewer values than sessions are compared, and the index finds the sessions with the matching ones.
  return `${ofKey} AND value IN (SELECT value FROM property_values WHERE team_id = ${team} AND ${condition})`
}

/** Returns a condition on `session_texts` that matches a property. @throws ApiError 400 on `attr`. */
export function sessionTextSql(bindings: Bindings, filter: PropertyFilter, attr: string): string {
  return `key = ${bindings.bind('String', filter.key)} AND ${comparisonSql(bindings, 'value', readComparison(filter, attr))}`
}

/** Returns the filters of one console entry each, with the parameter that names them. */
export function entryFilters({ properties = [], console_log_filters = [] }: RecordingFilter) {
  const logged = properties.filter(({ type }) => type === 'log_entry')
  const given: [attr: string, filters: PropertyFilter[]][] = [
    ['console_log_filters', console_log_filters],
    ['properties', logged],
  ]
  return given.filter(([, filters]) => filters.length > 0)
}

/** Returns a condition on `console_entries` that requires all filters of one entry. @throws ApiError 400 on `attr`. */
export function consoleSql(bindings: Bindings, filters: readonly PropertyFilter[], attr: string): string {
  const conditions = filters.map((filter) => {
    const { key } = filter
    if (key !== 'level' && key !== 'message')
      throw invalidInput(`Console entries have "level" and "message", not "${key}".`, [attr])
    return comparisonSql(bindings, key, readComparison(filter, attr))
  })
  return conditions.join(' AND ')
}

/** Returns a condition on `session_failed_requests` that requires all filters of one request. @throws ApiError 400 on `attr`. */
export function requestSql(bindings: Bindings, filters: readonly RequestFilter[], attr: string): string {
  return filters
    .map((filter) => comparisonSql(bindings, `toString(${filter.key})`, readComparison(filter, attr)))
    .join(' AND ')
}

/** Returns a condition that is never NULL: a NULL text fails every comparison and passes every negation. */
function comparisonSql(bindings: Bindings, text: string, comparison: Comparison): string {
  const positive = `ifNull(${positiveSql(bindings, text, comparison)}, 0)`
  return comparison.negated ? `NOT ${positive}` : positive
}

function positiveSql(bindings: Bindings, text: string, comparison: Comparison): string {
  switch (comparison.kind) {
    case 'is_set':
      return `${text} IS NOT NULL`
    case 'exact':
      return `${text} IN ${bindings.bind('Array(String)', comparison.values)}`
    case 'icontains':
      return anyOf(comparison.values, (value) => {
        const part = bindings.bind('String', value)
        return `positionCaseInsensitiveUTF8(${text}, ${part}) > 0`
      })
    case 'regex':
      return anyOf(comparison.values, (value) => `match(${text}, ${bindings.bind('String', value)})`)
    case 'order': {
      const { sign, value, number } = comparison
      const asText = `${text} ${sign} ${bindings.bind('String', value)}`
      if (number === null) return asText
      return `ifNull(toFloat64OrNull(${text}) ${sign} ${bindings.bind('Float64', number)}, ${asText})`
    }
  }
}

function anyOf(values: readonly string[], condition: (value: string) => string): string {
  return values.length === 0 ? '0' : `(${values.map(condition).join(' OR ')})`
}
