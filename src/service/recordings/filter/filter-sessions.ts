import { createHash } from 'node:crypto'
import type {
  EventFilter,
  PropertyFilter,
  RecordingFilter,
} from '../../../contract/recordings/recording-filter.ts'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import { isNegated, positiveFilter, readComparison } from './filter-comparison.ts'
import {
  Bindings,
  consoleSql,
  entryFilters,
  eventSql,
  gatheredEventSql,
  gatheredSql,
  propertySql,
  requestSql,
  sessionTextSql,
} from './filter-sql.ts'
import { textKeys } from '../../warehouse/tables.ts'
import { isGathered, isGatheredOfEvents } from './gather-properties.ts'

/** Requires that a session has a matching event, console entry or failed request, or (negated) none. */
export type SessionCondition = {
  table: 'events' | 'session_events' | 'console_entries' | 'session_failed_requests'
  negated: boolean
  where: (bindings: Bindings) => string
  /**
   * The same condition on gathered properties, and on `session_texts` if that table has the property; events that arrived
   * after `until` (µs since the epoch) are queried directly.
   */
  gathered?: {
    table: 'session_properties' | 'event_properties'
    until: number
    where: (bindings: Bindings, team: string) => string
    ofText?: (bindings: Bindings) => string
  }
}

/** Time range of the recordings in question, in milliseconds since the epoch. */
export type Period = { from: number | null; to: number | null }

/** Session ids passed to PostgreSQL in one query. */
const sessionsMax = 10_000
/** Length limit (ms) of a posthog-js session, so none of its events is further from its recording's start. */
const sessionMsMax = 86_400_000

/**
 * Returns the list's conditions on what happened in the sessions, whose properties are gathered of events until `until`.
 * @throws ApiError 400 naming the parameter.
 */
export function sessionConditions(query: RecordingFilter, until: number): SessionCondition[] {
  const { events = [], actions = [], properties = [], failed_request_filters: requests = [] } = query
  const ofEvent = (event: EventFilter, attr: 'events' | 'actions'): SessionCondition => ({
    table: event.properties?.length ? 'events' : 'session_events',
    negated: false,
    where: (bindings) => eventSql(bindings, event, attr),
    ...(isGatheredEvent(event) && {
      gathered: {
        table: 'event_properties',
        until,
        where: (bindings, team) => gatheredEventSql(bindings, event, attr, team),
      },
    }),
  })
  const ofProperty = (filter: PropertyFilter): SessionCondition => {
    const positive = positiveFilter(filter)
    return {
      table: 'events',
      negated: readComparison(filter, 'properties').negated,
      where: (bindings) => propertySql(bindings, positive, 'properties'),
      ...(isGathered(filter.key) && {
        gathered: {
          table: 'session_properties',
          until,
          where: (bindings, team) => gatheredSql(bindings, positive, 'properties', team),
          ...(textKeys.includes(filter.key) && {
            ofText: (bindings) => sessionTextSql(bindings, positive, 'properties'),
          }),
        },
      }),
    }
  }
  const ofEntry = ([attr, filters]: [string, PropertyFilter[]]): SessionCondition => ({
    table: 'console_entries',
    negated: false,
    where: (bindings) => consoleSql(bindings, filters, attr),
  })
  const conditions = [
    ...events.map((event) => ofEvent(event, 'events')),
    ...actions.map((action) => ofEvent(action, 'actions')),
    ...properties.filter(({ type }) => type === 'event').map(ofProperty),
    ...entryFilters(query).map(ofEntry),
  ]
  if (requests.length > 0)
    conditions.push({
      table: 'session_failed_requests',
      negated: false,
      where: (bindings) => requestSql(bindings, requests, 'failed_request_filters'),
    })
  // Builds each condition once, so that invalid filters throw before any query runs.
  for (const { where } of conditions) where(new Bindings())
  return conditions
}

/** Whether `event_properties` answers a filter: several properties must be those of one event, which that table does not tell. */
function isGatheredEvent({ properties = [] }: EventFilter): boolean {
  const [only, ...others] = properties
  if (!only || others.length > 0) return false
  return only.type === 'event' && isGatheredOfEvents(only.key) && !isNegated(only.operator)
}

/** Whether finding all sessions takes long, because every event's properties are read. */
export function searchesAllEvents({ table, gathered }: SessionCondition): boolean {
  return table === 'events' && !gathered
}

/** Finds all sessions with such an event or entry, ignoring negation; null when there are more than `sessionsMax`. */
export async function allSessionsWith(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  period: Period,
) {
  const found = await listSessionsWith(warehouse, projectId, condition, period)
  if (found || condition.table !== 'session_events' || period.from === null) return found
  // Far fewer sessions have the event within the period, for which only `events` knows the times.
  return await listSessionsWith(warehouse, projectId, { ...condition, table: 'events' }, period)
}

/** Hashes of lists that were longer than `sessionsMax`, oldest first. They are not listed again, because lists never become shorter. */
const tooLong = new WeakMap<Warehouse, Set<string>>()
const tooLongMax = 1000

async function listSessionsWith(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  period: Period,
): Promise<string[] | null> {
  const { table, where } = condition
  const own = new Bindings()
  const list = [projectId, table, where(own), own.params, isTimed(table) ? period : null]
  const name = createHash('sha256').update(JSON.stringify(list)).digest('base64')
  const known = tooLong.get(warehouse) ?? new Set()
  if (known.has(name)) return null
  const bindings = new Bindings()
  // Too many ids are not sent, because reading them here takes longer than finding them.
  const [found] = await queryWarehouse<{ ids: string[]; count: number }>(
    warehouse,
    `SELECT length(all) AS count, if(count > ${sessionsMax}, [], all) AS ids FROM (SELECT groupArray(session_id) AS all FROM (
      ${selectSessions(bindings, projectId, condition, period)} LIMIT ${sessionsMax + 1}))`,
    bindings,
    // Small blocks, so that the query ends soon after reaching the limit.
    { max_block_size: 8192 },
  )
  if (found && found.count <= sessionsMax) return found.ids
  const [oldest] = known
  if (oldest !== undefined && known.size >= tooLongMax) known.delete(oldest)
  tooLong.set(warehouse, known.add(name))
  return null
}

/** Session ids per ClickHouse statement, whose parameters are limited to 256 KB. */
const idsMax = 2000

/** Returns the given sessions that meet the condition, including its negation. */
export async function matchingSessions(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  sessionIds: readonly string[],
  period: Period,
) {
  const chunks = Array.from({ length: Math.ceil(sessionIds.length / idsMax) }, (_, index) =>
    sessionIds.slice(index * idsMax, (index + 1) * idsMax),
  )
  const found = await Promise.all(
    chunks.map((chunk) => {
      const bindings = new Bindings()
      const ids = bindings.bind('Array(String)', chunk)
      return queryWarehouse<{ session_id: string }>(
        warehouse,
        `${selectSessions(bindings, projectId, condition, period, true)} AND session_id IN ${ids}`,
        bindings,
      )
    }),
  )
  const matching = new Set(found.flat().map((row) => row.session_id))
  return sessionIds.filter((id) => matching.has(id) !== condition.negated)
}

/** Whether a table has the times of what happened. */
function isTimed(table: SessionCondition['table']): boolean {
  return table === 'events' || table === 'console_entries'
}

/** Returns a statement to which conditions on `session_id` can be appended. `isCheck`: the appended condition leaves few sessions. */
function selectSessions(
  bindings: Bindings,
  projectId: number,
  { table, where, gathered }: SessionCondition,
  { from, to }: Period,
  isCheck = false,
): string {
  const team = bindings.bind('Int64', projectId)
  const time = (sign: string, limit: number) =>
    ` AND timestamp ${sign} fromUnixTimestamp64Milli(${bindings.bind('Int64', limit)}, 'UTC')`
  const after = isTimed(table) && from !== null ? time('>=', from - sessionMsMax) : ''
  const before = isTimed(table) && to !== null ? time('<', to + sessionMsMax) : ''
  const rows = `${table} WHERE team_id = ${team}${after}${before} AND (${where(bindings)})`
  if (!gathered) return `SELECT DISTINCT session_id FROM ${rows}`
  const later = `inserted_at > fromUnixTimestamp64Micro(${bindings.bind('Int64', gathered.until)}, 'UTC')`
  const { table: gatheredTable, where: ofProperty, ofText } = gathered
  const earlier =
    isCheck && ofText
      ? `session_texts WHERE team_id = ${team} AND ${ofText(bindings)}`
      : `${gatheredTable} WHERE team_id = ${team} AND ${ofProperty(bindings, team)}`
  return `SELECT DISTINCT session_id FROM (
      SELECT session_id FROM ${earlier}
      UNION ALL SELECT session_id FROM ${rows} AND ${later})
    WHERE 1`
}
