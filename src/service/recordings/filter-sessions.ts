import type { PropertyFilter, RecordingListQuery } from '../../contract/recording-filter.ts'
import type { Warehouse } from '../engines/clickhouse.ts'
import { askWarehouse } from './ask-warehouse.ts'
import { positiveFilter, readComparison } from './filter-comparison.ts'
import { Bindings, consoleSql, eventSql, propertySql } from './filter-sql.ts'

/** That a session has an event or a console entry like this, or (negated) none. */
export type SessionCondition = {
  table: 'events' | 'console_entries'
  negated: boolean
  where: (bindings: Bindings) => string
}

/** When the sessions in question were recorded, in milliseconds since the epoch. */
export type Period = { from: number | null; to: number | null }

/** At most so many sessions are named to PostgreSQL. */
const sessionsMax = 10_000
/** A session of posthog-js ends after a day, so nothing of it is further from its recording's start. */
const sessionLength = 86_400_000

/** What a list asks of what happened in the sessions. @throws ApiError 400 naming the parameter. */
export function sessionConditions(query: RecordingListQuery): SessionCondition[] {
  const { events = [], actions = [], properties = [], console_log_filters = [] } = query
  const ofEvents = (where: SessionCondition['where'], negated = false): SessionCondition => ({
    table: 'events',
    negated,
    where,
  })
  const ofConsole = (filters: readonly PropertyFilter[], attr: string): SessionCondition[] =>
    filters.length === 0
      ? []
      : [
          {
            table: 'console_entries',
            negated: false,
            where: (bindings) => consoleSql(bindings, filters, attr),
          },
        ]
  const logged = properties.filter(({ type }) => type === 'log_entry')
  const conditions = [
    ...events.map((event) => ofEvents((bindings) => eventSql(bindings, event, 'events'))),
    ...actions.map((action) => ofEvents((bindings) => eventSql(bindings, action, 'actions'))),
    ...properties
      .filter(({ type }) => type === 'event')
      .map((filter) => {
        const { negated } = readComparison(filter, 'properties')
        return ofEvents((bindings) => propertySql(bindings, positiveFilter(filter), 'properties'), negated)
      }),
    ...ofConsole(console_log_filters, 'console_log_filters'),
    ...ofConsole(logged, 'properties'),
  ]
  // What cannot be asked shows before anything is.
  for (const { where } of conditions) where(new Bindings())
  return conditions
}

/** All sessions with such an event or entry, whether negated or not; null when they are too many to name. */
export async function allSessionsWith(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  period: Period,
): Promise<string[] | null> {
  const bindings = new Bindings()
  const rows = await askWarehouse<{ session_id: string }>(
    warehouse,
    `${selectSessions(bindings, projectId, condition, period)} LIMIT ${sessionsMax + 1}`,
    bindings,
  )
  return rows.length > sessionsMax ? null : rows.map((row) => row.session_id)
}

/** Those of these sessions that fulfil the condition, its negation included. */
export async function fulfilling(
  warehouse: Warehouse,
  projectId: number,
  condition: SessionCondition,
  sessionIds: readonly string[],
  period: Period,
): Promise<string[]> {
  const bindings = new Bindings()
  const among = `session_id IN ${bindings.bind('Array(String)', sessionIds)}`
  const rows = await askWarehouse<{ session_id: string }>(
    warehouse,
    `${selectSessions(bindings, projectId, condition, period)} AND ${among}`,
    bindings,
  )
  const found = new Set(rows.map((row) => row.session_id))
  return sessionIds.filter((id) => found.has(id) !== condition.negated)
}

function selectSessions(
  bindings: Bindings,
  projectId: number,
  { table, where }: SessionCondition,
  { from, to }: Period,
): string {
  const time = (sign: string, limit: number) =>
    ` AND timestamp ${sign} fromUnixTimestamp64Milli(${bindings.bind('Int64', limit)}, 'UTC')`
  const after = from === null ? '' : time('>=', from - sessionLength)
  const before = to === null ? '' : time('<', to + sessionLength)
  return `SELECT DISTINCT session_id FROM ${table}
    WHERE team_id = ${bindings.bind('Int64', projectId)}${after}${before} AND (${where(bindings)})`
}
