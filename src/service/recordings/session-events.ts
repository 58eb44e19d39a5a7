import type { Row, Warehouse } from '../engines/clickhouse.ts'
import { askWarehouse } from './ask-warehouse.ts'
import type { Bindings } from './filter/filter-sql.ts'

type Session = { projectId: number; sessionId: string }

/**
 * Columns of a session's events, oldest first. One that was sent twice counts once, as it arrived first; the table's own
 * way of replacing such repeats would be slower here.
 */
export async function sessionEvents<T extends Row>(
  warehouse: Warehouse,
  bindings: Bindings,
  { projectId, sessionId }: Session,
  { columns, where = '1', limit }: { columns: string; where?: string; limit?: number },
): Promise<T[]> {
  const events = `SELECT uuid, event, properties, person_properties, timestamp, elements_chain FROM events
    WHERE team_id = ${bindings.bind('Int64', projectId)} AND session_id = ${bindings.bind('String', sessionId)}
    ORDER BY inserted_at LIMIT 1 BY event, distinct_id, uuid`
  const end = limit === undefined ? '' : ` LIMIT ${limit}`
  return await askWarehouse<T>(
    warehouse,
    `SELECT ${columns} FROM (${events}) WHERE ${where} ORDER BY timestamp, uuid${end}`,
    bindings,
  )
}
