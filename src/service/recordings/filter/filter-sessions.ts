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
import type { Period, Span } from './sessions-of-period.ts'
import { conditionText, isTimed, selectSessions, type SessionCondition } from './session-condition.ts'
import { isGathered, isGatheredOfEvents } from './gather-properties.ts'
import { knownLength, rememberLength, type List } from './list-lengths.ts'

/** Session ids passed to PostgreSQL in one query. */
const sessionsMax = 10_000
/**
 * Returns the list's conditions on what happened in the sessions. `until`: time (µs since the epoch) up to which properties are
 * gathered; null if those of all events are. `entriesSince`: as `readEntriesSince` returns it.
 * @throws ApiError 400 naming the parameter.
 */
export function sessionConditions(
  query: RecordingFilter,
  until: number | null,
  entriesSince?: number,
): SessionCondition[] {
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
    ...(entriesSince !== undefined && { entriesSince }),
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

/**
 * Finds all sessions with such an event or entry, ignoring negation; null when there are more than `sessionsMax`.
 * @param spanOf returns the sessions of a period
 */
export async function allSessionsWith(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  { from, to }: Period,
  spanOf?: (period: { from: number; to: number | null }) => Span,
) {
  const found = await listSessionsWith(warehouse, projectId, condition, { from, to })
  if (found || condition.table !== 'session_events' || from === null) return found
  // Far fewer sessions have the event within the period. Only `events` knows the times, but most ids begin with theirs.
  const inPeriod: SessionCondition = { ...condition, table: 'events' }
  if (knownLength(warehouse, listOf(projectId, inPeriod, { from, to })) === 'long') return null
  const span = spanOf?.({ from, to })
  const [listed, others] = span
    ? await Promise.all([listSessionsWith(warehouse, projectId, inPeriod, { from, to }, span), span.others])
    : [null, null]
  if (!others) return await listSessionsWith(warehouse, projectId, inPeriod, { from, to })
  const options = { period: { from, to } }
  return (
    listed && [
      ...listed,
      ...(await matchingSessions(warehouse, projectId, { ...condition, negated: false }, others, options)),
    ]
  )
}

/** Whether the list of a condition had at most `sessionsMax` ids when it was made last. */
export function wasShort(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  period: Period,
): boolean {
  const conditions = [condition, { ...condition, table: 'events' } as const]
  return conditions.some((each) => knownLength(warehouse, listOf(projectId, each, period)) === 'short')
}

function listOf(projectId: number, condition: SessionCondition, period: Period): List {
  const { table } = condition
  return {
    name: `${projectId} ${conditionText(condition)}`,
    period: isTimed(table) ? period : { from: null, to: null },
  }
}

async function listSessionsWith(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  period: Period,
  range: Pick<Span, 'first' | 'last'> | null = null,
): Promise<string[] | null> {
  const list = listOf(projectId, condition, period)
  const length = knownLength(warehouse, list)
  if (length === 'long') return null
  const selects = range
    ? selectSessions(projectId, { ...condition, table: 'session_events' }, period)
    : selectSessions(projectId, condition, period)
  const found = await Promise.all(
    selects.map(({ tableWhere, bindings }) => {
      const limited = range ? `${tableWhere} AND ${inRange(bindings, range)}` : tableWhere
      return listUpTo(warehouse, limited, bindings, length === 'short')
    }),
  )
  const all = found.every((ids) => ids !== null) ? [...new Set(found.flat())] : null
  const ids = all && all.length <= sessionsMax ? all : null
  rememberLength(warehouse, list, ids ? 'short' : 'long')
  return ids
}

/** Reads all columns of a row at once. */
const inOneStep = { optimize_move_to_prewhere: 0 }

/** Returns the sessions in a table with conditions; null if there are more than `sessionsMax`. `isShort`: the last such list was short. */
async function listUpTo(warehouse: Warehouse, tableWhere: string, bindings: Bindings, isShort: boolean) {
  const limit = sessionsMax + 1
  // A simple statement takes a millisecond less, but reads everything, however much there is now.
  if (isShort) {
    const query = `SELECT groupUniqArray(${limit})(session_id) AS ids FROM ${tableWhere}`
    // Except in `events`, the key finds just the matching rows: reading in two steps would take longer.
    const settings = tableWhere.startsWith('events ') ? {} : inOneStep
    const [found] = await queryWarehouse<{ ids: string[] }>(warehouse, query, bindings, settings)
    return found && found.ids.length <= sessionsMax ? found.ids : null
  }
  // Too many ids are not sent, because reading them here takes longer than finding them.
  const [found] = await queryWarehouse<{ ids: string[]; count: number }>(
    warehouse,
    `SELECT length(all) AS count, if(count > ${sessionsMax}, [], all) AS ids FROM (SELECT groupArray(session_id) AS all FROM (
      SELECT DISTINCT session_id FROM ${tableWhere} LIMIT ${limit}))`,
    bindings,
    // Small blocks, so that the query ends soon after reaching the limit.
    { max_block_size: 8192 },
  )
  return found && found.count <= sessionsMax ? found.ids : null
}

function inRange(bindings: Bindings, { first, last }: Pick<Span, 'first' | 'last'>): string {
  return `session_id >= ${bindings.bind('String', first)} AND session_id < ${bindings.bind('String', last)}`
}

/** Session ids per ClickHouse statement, whose parameters are limited to 256 KB. */
const idsMax = 2000

/** Returned sessions per given one, above which a range of ids has too many other sessions. */
const othersMax = 4
/** A UUID of version 7, as posthog-js makes them: it begins with its time. */
const timedId = /^[0-9a-f]{8}-[0-9a-f]{4}-7/

/**
 * Returns the given sessions that meet the condition, including its negation. `isInOrder`: they started one after the other.
 */
export async function matchingSessions(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  sessionIds: readonly string[],
  { period, isInOrder = false }: { period: Period; isInOrder?: boolean },
) {
  const find = (clause: (bindings: Bindings) => string) =>
    Promise.all(
      selectSessions(projectId, condition, period, true).map(({ tableWhere, bindings }) => {
        const query = `SELECT DISTINCT session_id FROM ${tableWhere} AND session_id ${clause(bindings)}`
        // Its rows are short: comparing other columns before reading the ids would take longer.
        const settings = tableWhere.startsWith('session_events ') ? inOneStep : {}
        return queryWarehouse<{ session_id: string }>(warehouse, query, bindings, settings)
      }),
    )
  const findGiven = async () => {
    const chunks = Array.from({ length: Math.ceil(sessionIds.length / idsMax) }, (_, index) =>
      sessionIds.slice(index * idsMax, (index + 1) * idsMax),
    )
    const found = chunks.map((chunk) => find((bindings) => `IN ${bindings.bind('Array(String)', chunk)}`))
    return (await Promise.all(found)).flat(2)
  }
  /** Reading the range between the smallest and the largest id is faster, if it has few other sessions. */
  const findInRange = async () => {
    if (!isInOrder || !sessionIds.every((id) => timedId.test(id))) return null
    const sorted = sessionIds.toSorted()
    const [smallest, largest] = [sorted[0], sorted.at(-1)]
    const limit = othersMax * sessionIds.length
    const found = await find(
      (bindings) =>
        `BETWEEN ${bindings.bind('String', smallest)} AND ${bindings.bind('String', largest)} LIMIT ${limit}`,
    )
    return found.every((rows) => rows.length < limit) ? found.flat() : null
  }
  const found = (await findInRange()) ?? (await findGiven())
  const matching = new Set(found.map((row) => row.session_id))
  return sessionIds.filter((id) => matching.has(id) !== condition.negated)
}
