import type { RecordingFilter } from '../../contract/recordings/recording-filter.ts'
import { actionEvents } from '../../contract/recordings/visitor-actions.ts'
import { isObject } from '../../replay/recorded/rrweb.ts'
import type { Row, Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { queryWarehouse } from './query-warehouse.ts'
import { assertPatterns } from './filter/filter-patterns.ts'
import { Bindings, namedEventsSql, propertySql } from './filter/filter-sql.ts'

type Session = { projectId: number; sessionId: string }

export type EventRow = {
  uuid: string
  event: string
  distinct_id: string
  /** Milliseconds since the epoch. */
  time: number
  /** A JSON object as text. */
  properties: string
  elements_chain: string
}

const time = 'toUnixTimestamp64Milli(timestamp) AS time'

/** Returns a session's events, oldest first. */
export function eventsOfSession(warehouse: Warehouse, session: Session, limit: number) {
  const columns = `uuid, event, distinct_id, ${time}, properties, elements_chain`
  return sessionEvents<EventRow>(warehouse, new Bindings(), session, { columns, limit })
}

/** Returns when the visitor of a session acted, in milliseconds since the epoch, ascending. */
export async function actionTimes(warehouse: Warehouse, session: Session, limit: number) {
  const bindings = new Bindings()
  const where = `event IN ${bindings.bind('Array(String)', actionEvents)}`
  const selection = { columns: time, where, limit }
  const rows = await sessionEvents<Pick<EventRow, 'time'>>(warehouse, bindings, session, selection)
  return rows.map((row) => Number(row.time))
}

/**
 * Finds the session's events that match any of the events or actions and all of the properties, oldest first.
 * @throws ApiError 400 for a filter that does not apply to events, or an invalid regular expression.
 */
export async function findMatchingEvents(
  warehouse: Warehouse,
  session: Session,
  filter: Pick<RecordingFilter, 'events' | 'actions' | 'properties'>,
) {
  const bindings = new Bindings()
  const any = namedEventsSql(bindings, filter)
  const all = (filter.properties ?? []).map((property) => propertySql(bindings, property, 'properties'))
  const where = [`(${any.map((event) => `(${event})`).join(' OR ')})`, ...all].join(' AND ')
  await assertPatterns(warehouse, filter)
  const columns = `uuid, ${time}`
  return await sessionEvents<Pick<EventRow, 'uuid' | 'time'>>(warehouse, bindings, session, {
    columns,
    where,
  })
}

/** Returns the properties of each session's first event, by session id. */
export async function firstProperties(
  warehouse: Warehouse,
  projectId: number,
  sessionIds: readonly string[],
) {
  if (sessionIds.length === 0) return new Map<string, Record<string, unknown>>()
  const bindings = new Bindings()
  const rows = await queryWarehouse<{ session_id: string; properties: string }>(
    warehouse,
    `SELECT session_id, properties FROM events
    WHERE team_id = ${bindings.bind('Int64', projectId)} AND session_id IN ${bindings.bind('Array(String)', sessionIds)}
    ORDER BY timestamp, uuid LIMIT 1 BY session_id`,
    bindings,
  )
  return new Map(rows.map((row) => [row.session_id, readProperties(row.properties)]))
}

/**
 * Selects columns of a session's events, oldest first. Of repeated events, keeps the first to arrive; deduplicating with
 * FINAL would be slower here.
 */
async function sessionEvents<T extends Row>(
  warehouse: Warehouse,
  bindings: Bindings,
  { projectId, sessionId }: Session,
  { columns, where = '1', limit }: { columns: string; where?: string; limit?: number },
): Promise<T[]> {
  const events = `SELECT uuid, event, distinct_id, properties, person_properties, timestamp, elements_chain FROM events
    WHERE team_id = ${bindings.bind('Int64', projectId)} AND session_id = ${bindings.bind('String', sessionId)}
    ORDER BY inserted_at LIMIT 1 BY event, distinct_id, uuid`
  const end = limit === undefined ? '' : ` LIMIT ${limit}`
  return await queryWarehouse<T>(
    warehouse,
    `SELECT ${columns} FROM (${events}) WHERE ${where} ORDER BY timestamp, uuid${end}`,
    bindings,
  )
}

/** Imported events may have anything as their properties. */
export function readProperties(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
