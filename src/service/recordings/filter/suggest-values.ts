import type { QueryOf } from '../../../contract/endpoints.ts'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import { Bindings } from './filter-sql.ts'

const suggestedMax = 20

/** Returns names of captured events or gathered properties or, with `key`, values of that property. */
export async function suggestValues(
  warehouse: Warehouse,
  projectId: number,
  { type, key, search }: QueryOf<'filterValues'>,
): Promise<string[]> {
  const bindings = new Bindings()
  const text = bindings.bind('String', search)
  const names = type === 'event' ? ['event', 'session_events WHERE 1'] : ['key', 'property_values WHERE 1']
  const [value, from] =
    key === undefined
      ? names
      : ['value', `property_values WHERE key = ${bindings.bind('String', key)} AND value != ''`]
  const rows = await queryWarehouse<{ value: string }>(
    warehouse,
    `SELECT DISTINCT substringUTF8(${value}, 1, 200) AS value FROM ${from}
    AND team_id = ${bindings.bind('Int64', projectId)} AND positionCaseInsensitiveUTF8(${value}, ${text}) > 0
    ORDER BY positionCaseInsensitiveUTF8(value, ${text}), length(value), value LIMIT ${suggestedMax}`,
    bindings,
  )
  return rows.map((row) => row.value)
}
