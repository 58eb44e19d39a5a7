import type { QuerySettings, Row, Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { statementError } from '../problems/down-engine.ts'
import type { Bindings } from './filter/filter-sql.ts'

/** Runs a query for an API request. @throws ClickHouseError, or EngineDown when ClickHouse cannot be reached. */
export async function queryWarehouse<T extends Row>(
  warehouse: Warehouse,
  query: string,
  { params }: Bindings,
  settings: QuerySettings = {},
): Promise<T[]> {
  try {
    return await warehouse.query<T>(query, { params, settings })
  } catch (error) {
    throw statementError(error)
  }
}
