import type { RecordingFilter } from '../../../contract/recording-filter.ts'
import type { MatchedMoment, SessionRecording } from '../../../contract/session-recording.ts'
import type { Visit } from '../../../contract/visit.ts'
import type { Warehouse } from '../../engines/clickhouse.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import { Bindings, consoleSql, eventSql, propertySql } from './filter-sql.ts'

/** Moments of a recording, at most. */
const momentsMax = 3
const labelLengthMax = 120
/** Tolerance (ms) for browser clocks. */
const clockSlack = 300_000
const hour = 3_600_000
/** Hours of a recording that are searched, at most. */
const hoursMax = 6

type Row = Pick<RecordingRow, 'session_id' | 'start_time' | 'end_time'>
type Found = { session_id: string; time: number; label: string }
export type Moments = Map<string, Found[]>

/**
 * Finds the events and console entries of the listed recordings that match the filter, by session; null if the filter has
 * none that happen at a moment.
 */
export async function findMoments(
  warehouse: Warehouse,
  projectId: number,
  filter: RecordingFilter,
  rows: readonly Row[],
): Promise<Moments | null> {
  const kinds = [eventsSql, entriesSql]
    .map((build) => build(filter, new Bindings()))
    .filter((sql) => sql !== null)
  if (kinds.length === 0 || rows.length === 0) return null
  const found = await Promise.all(
    kinds.map(({ bindings, statement }) => {
      const team = bindings.bind('Int64', projectId)
      const sessions = bindings.bind(
        'Array(String)',
        rows.map((row) => row.session_id),
      )
      const hours = bindings.bind('Array(Int64)', [...new Set(rows.flatMap(hoursOf))])
      const within = `team_id = ${team} AND session_id IN ${sessions}
        AND toStartOfHour(timestamp) IN (SELECT toDateTime(arrayJoin(${hours}), 'UTC'))`
      return queryWarehouse<Found>(
        warehouse,
        `${statement(within)} ORDER BY time LIMIT ${momentsMax} BY session_id`,
        bindings,
      )
    }),
  )
  return Map.groupBy(found.flat(), (moment) => moment.session_id)
}

/** Adds the moments to the recordings, with those that the facts of their visits contain. */
export function withMoments(
  recordings: readonly SessionRecording[],
  filter: RecordingFilter,
  moments: Moments | null,
): SessionRecording[] {
  const kinds = problemKinds(filter)
  const byOutcome = filter.properties?.some(({ type, key }) => type === 'recording' && key === 'outcome')
  if (!moments && kinds.length === 0 && !byOutcome) return [...recordings]
  return recordings.map((recording) => {
    const { visit, start_time } = recording
    const found = moments?.get(recording.id) ?? []
    const all: MatchedMoment[] = [
      ...found.map(({ time, label }) => ({ at: Math.max(time - Date.parse(start_time), 0), label })),
      ...(visit?.problems ?? []).filter(({ kind }) => kinds.includes(kind)),
      ...(visit && byOutcome ? [visit.outcome] : []),
    ]
      .map(({ at, label }) => ({ at, label: label.slice(0, labelLengthMax) }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, momentsMax)
    return { ...recording, matched: all }
  })
}

type Problem = Visit['problems'][number]['kind']

/** Kinds of problems by the property that counts them. */
const countedProblems: Record<string, Problem> = {
  console_error_count: 'error',
  rage_click_count: 'rage',
  failed_request_count: 'request',
  left_form: 'form',
}

function problemKinds({ properties = [], failed_request_filters = [] }: RecordingFilter): Problem[] {
  const kinds = properties.flatMap(({ type, key }) =>
    type === 'recording' ? (countedProblems[key] ?? []) : [],
  )
  return failed_request_filters.length > 0 ? [...kinds, 'request'] : kinds
}

type Statement = { bindings: Bindings; statement: (within: string) => string }

/** Properties of events that name what the visitor did at that moment. */
const momentKeys = ['$current_url', '$pathname', '$el_text']

function eventsSql(filter: RecordingFilter, bindings: Bindings): Statement | null {
  const { events = [], actions = [], properties = [], mentions = [] } = filter
  const urls = mentions.filter((mention) => /^https?:/i.test(mention))
  const conditions = [
    ...events.map((event) => eventSql(bindings, event, 'events')),
    ...actions.map((action) => eventSql(bindings, action, 'actions')),
    ...properties
      .filter(
        ({ type, key, operator }) => type === 'event' && momentKeys.includes(key) && !isNegated(operator),
      )
      .map((property) => propertySql(bindings, property, 'properties')),
    ...(urls.length === 0
      ? []
      : [
          propertySql(
            bindings,
            { type: 'event', key: '$current_url', operator: 'icontains', value: urls },
            'mentions',
          ),
        ]),
  ]
  if (conditions.length === 0) return null
  const text = (key: string) => `JSONExtractString(properties, '${key}')`
  const label = `multiIf(event = '$autocapture' AND ${text('$el_text')} != '', concat('clicked “', substringUTF8(${text('$el_text')}, 1, 60), '”'),
    event IN ('$pageview', '$autocapture', '$pageleave', '$rageclick') AND ${text('$pathname')} != '', concat('visited ', ${text('$pathname')}),
    event)`
  const any = conditions.map((condition) => `(${condition})`).join(' OR ')
  // The name of a custom event is enough, and the properties of many events take long to read.
  const named = [...events, ...actions].map(({ id, name }) => String(name ?? id))
  const isNamed = conditions.length === named.length && named.every((name) => !name.startsWith('$'))
  return {
    bindings,
    statement: (within) =>
      `SELECT session_id, toUnixTimestamp64Milli(timestamp) AS time, ${isNamed ? 'event' : label} AS label FROM events WHERE ${within} AND (${any})`,
  }
}

function entriesSql(filter: RecordingFilter, bindings: Bindings): Statement | null {
  const { properties = [], console_log_filters = [] } = filter
  const logged = properties.filter(({ type }) => type === 'log_entry')
  const groups = [
    ...(console_log_filters.length > 0
      ? [consoleSql(bindings, console_log_filters, 'console_log_filters')]
      : []),
    ...(logged.length > 0 ? [consoleSql(bindings, logged, 'properties')] : []),
  ]
  if (groups.length === 0) return null
  const any = groups.map((condition) => `(${condition})`).join(' OR ')
  return {
    bindings,
    statement: (within) =>
      `SELECT session_id, toUnixTimestamp64Milli(timestamp) AS time, concat(level, ': ', substringUTF8(message, 1, 200)) AS label
      FROM console_entries WHERE ${within} AND (${any})`,
  }
}

function isNegated(operator: string): boolean {
  return operator.startsWith('not_') || operator.startsWith('is_not')
}

/** Returns the starts (seconds since the epoch) of the hours in which a recording's events can be. */
function hoursOf({ start_time, end_time }: Row): number[] {
  const first = Math.floor((start_time.getTime() - clockSlack) / hour)
  const last = Math.floor((end_time.getTime() + clockSlack) / hour)
  const length = Math.min(last - first + 1, hoursMax)
  return Array.from({ length }, (_, index) => ((first + index) * hour) / 1000)
}
