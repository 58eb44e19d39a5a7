import type { PropertyFilter, RecordingFilter } from '../../../contract/recordings/recording-filter.ts'
import type { MatchedMoment, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import type { Services } from '../../services.ts'
import type { Store } from '../../store/schema/database.ts'
import { findNotes } from '../../store/recordings/recording-notes.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import { isNegated } from './filter-comparison.ts'
import { assertPatterns } from './filter-patterns.ts'
import { containing, rowConditions } from './filter-rows.ts'
import { propertyWords, momentsOf } from './recording-moments.ts'
import { Bindings, consoleSql, entryFilters, namedEventsSql, propertySql } from './filter-sql.ts'

/** Moments of a recording, at most. */
const momentsMax = 3
const labelLengthMax = 120
/** Tolerance (ms) for browser clocks. */
const clockSlack = 300_000
const hour = 3_600_000
/** Hours of a recording that are searched, at most. */
const hoursMax = 6

type Row = Pick<RecordingRow, 'id' | 'session_id' | 'start_time' | 'end_time'>
type Found = { session_id: string; time: number; label: string }
/** The rows of recordings, and the recordings as the API shows them, in the same order. */
type Listed = { rows: readonly Row[]; shown: readonly SessionRecording[] }

/** Finds out why recordings match a filter; by session id. @throws ApiError 400 naming the parameter. */
export async function findMatchedMoments(
  { store, warehouse, clock }: Pick<Services, 'store' | 'warehouse' | 'clock'>,
  projectId: number,
  filter: RecordingFilter,
  { rows, shown }: Listed,
): Promise<Map<string, MatchedMoment[]>> {
  // The list may not have checked this filter.
  rowConditions(filter, clock.now())
  await assertPatterns(warehouse, filter)
  const [timed, notes] = await Promise.all([
    findMoments(warehouse, projectId, filter, rows),
    findMatchingNotes(store, filter, rows),
  ])
  return new Map(
    shown.map((recording, index) => {
      const start = Date.parse(recording.start_time)
      const moments = [
        ...(timed.get(recording.id) ?? []).map(({ time, label }) => ({
          at: Math.max(time - start, 0),
          label,
        })),
        ...(notes.get(rows[index]?.id ?? 0) ?? []).map(({ at, text }) => ({
          at: Math.round(at * 1000),
          label: `note “${text}”`,
        })),
        ...momentsOf(recording, filter),
      ]
      return [recording.id, firstOf(moments)] as const
    }),
  )
}

function firstOf(moments: readonly MatchedMoment[]): MatchedMoment[] {
  const order = ({ at }: MatchedMoment) => at ?? Number.MAX_VALUE
  const inOrder = moments.toSorted((a, b) => order(a) - order(b))
  return inOrder.slice(0, momentsMax).map(({ at, label }) => ({ at, label: label.slice(0, labelLengthMax) }))
}

async function findMatchingNotes(store: Store, filter: RecordingFilter, rows: readonly Row[]) {
  const { properties = [], search } = filter
  const isNoted = properties.some(({ type, key }) => type === 'recording' && key === 'noted')
  const ids = rows.map(({ id }) => id)
  const notes = isNoted || search ? await findNotes(store, ids, search ? containing(search) : '%') : []
  return Map.groupBy(notes, ({ recording_id }) => recording_id)
}

/** Finds the events and console entries that match the filter, by session. */
async function findMoments(
  warehouse: Warehouse,
  projectId: number,
  filter: RecordingFilter,
  rows: readonly Row[],
): Promise<Map<string, Found[]>> {
  if (rows.length === 0) return new Map()
  const statements = [eventsSql(filter), entriesSql(filter), ...propertiesSql(filter)]
  const ids = rows.map((row) => row.session_id)
  const found = await Promise.all(
    statements.flatMap((given) => {
      if (!given) return []
      const { bindings, statement } = given
      const team = bindings.bind('Int64', projectId)
      const sessions = bindings.bind('Array(String)', ids)
      const hours = bindings.bind('Array(Int64)', [...new Set(rows.flatMap(hoursOf))])
      const within = `team_id = ${team} AND session_id IN ${sessions}
        AND toStartOfHour(timestamp) IN (SELECT toDateTime(arrayJoin(${hours}), 'UTC'))`
      const query = `${statement(within)} ORDER BY time LIMIT ${momentsMax} BY session_id`
      return queryWarehouse<Found>(warehouse, query, bindings)
    }),
  )
  return Map.groupBy(found.flat(), (moment) => moment.session_id)
}

type Statement = { bindings: Bindings; statement: (within: string) => string }

/** Properties of events that name what the visitor did at that moment. */
const momentKeys = ['$current_url', '$pathname', '$el_text']

function eventsSql(filter: RecordingFilter): Statement | null {
  const bindings = new Bindings()
  const { events = [], actions = [], properties = [], mentions = [] } = filter
  const urls = mentions.filter((mention) => /^https?:/i.test(mention))
  const conditions = [
    ...namedEventsSql(bindings, filter),
    ...properties
      .filter((property) => isOfEvents(property) && momentKeys.includes(property.key))
      .map((property) => propertySql(bindings, property, 'properties')),
  ]
  const visited = { type: 'event', key: '$current_url', operator: 'icontains', value: urls } as const
  if (urls.length > 0) conditions.push(propertySql(bindings, visited, 'mentions'))
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

function entriesSql(filter: RecordingFilter): Statement | null {
  const bindings = new Bindings()
  const groups = entryFilters(filter).map(([attr, filters]) => consoleSql(bindings, filters, attr))
  if (groups.length === 0) return null
  const any = groups.map((condition) => `(${condition})`).join(' OR ')
  return {
    bindings,
    statement: (within) =>
      `SELECT session_id, toUnixTimestamp64Milli(timestamp) AS time, concat(level, ': ', substringUTF8(message, 1, 200)) AS label
      FROM console_entries WHERE ${within} AND (${any})`,
  }
}

/** Properties that an event has because of the visitor, such as a browser: the first event with each value. */
function propertiesSql({ properties = [] }: RecordingFilter): Statement[] {
  return properties
    .filter((property) => isOfEvents(property) && !momentKeys.includes(property.key))
    .map((property) => {
      const bindings = new Bindings()
      const condition = propertySql(bindings, property, 'properties')
      const words = bindings.bind('String', `${propertyWords(property.key)}: `)
      const key = bindings.bind('String', property.key)
      const value = `JSONExtract(properties, ${key}, 'Nullable(String)')`
      return {
        bindings,
        statement: (within) =>
          `SELECT session_id, toUnixTimestamp64Milli(min(timestamp)) AS time, concat(${words}, ifNull(${value}, '')) AS label
          FROM events WHERE ${within} AND (${condition}) GROUP BY session_id, label`,
      }
    })
}

/** Whether an event has this property; a negated filter matches recordings without such an event. */
function isOfEvents({ type, operator }: PropertyFilter): boolean {
  return type === 'event' && !isNegated(operator)
}

/** Returns the starts (seconds since the epoch) of the hours in which a recording's events can be. */
function hoursOf({ start_time, end_time }: Row): number[] {
  const first = Math.floor((start_time.getTime() - clockSlack) / hour)
  const last = Math.floor((end_time.getTime() + clockSlack) / hour)
  const length = Math.min(last - first + 1, hoursMax)
  return Array.from({ length }, (_, index) => ((first + index) * hour) / 1000)
}
