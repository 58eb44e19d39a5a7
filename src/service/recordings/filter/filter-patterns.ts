import { ClickHouseError } from '@clickhouse/client'
import type { PropertyFilter, RecordingFilter } from '../../../contract/recordings/recording-filter.ts'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { queryWarehouse } from '../query-warehouse.ts'
import { Bindings } from './filter-sql.ts'

/** Rejects invalid RE2 regular expressions in all filters. @throws ApiError 400 naming the parameter. */
export async function assertPatterns(warehouse: Warehouse, filter: RecordingFilter) {
  const { properties, console_log_filters, failed_request_filters } = filter
  const [events, actions] = [filter.events, filter.actions].map((list) =>
    list?.flatMap((event) => event.properties ?? []),
  )
  const all = { events, actions, properties, console_log_filters, failed_request_filters }
  for (const [attr, list = []] of Object.entries(all))
    for (const pattern of list.flatMap(patternsOf)) await assertPattern(warehouse, pattern, attr)
}

function patternsOf({ operator, value }: Omit<PropertyFilter, 'type' | 'key'>): string[] {
  if ((operator !== 'regex' && operator !== 'not_regex') || value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}

async function assertPattern(warehouse: Warehouse, pattern: string, attr: string): Promise<void> {
  const bindings = new Bindings()
  try {
    await queryWarehouse(warehouse, `SELECT match('', ${bindings.bind('String', pattern)})`, bindings)
  } catch (error) {
    if (!(error instanceof ClickHouseError) || error.type !== 'CANNOT_COMPILE_REGEXP') throw error
    const [, reason = 'it cannot be read'] = /error: (.*?)\. Look at/s.exec(error.message) ?? []
    throw invalidInput(`"${pattern.slice(0, 100)}" is not a valid RE2 regular expression: ${reason}`, [attr])
  }
}

const invalidRegularExpression = '2201B'

/** Runs a query in PostgreSQL, which does not support every RE2 pattern. @throws ApiError 400 on `properties`. */
export async function withPatterns<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    const isPattern = error instanceof Error && 'code' in error && error.code === invalidRegularExpression
    if (!isPattern) throw error
    const problem = `Properties of persons and recordings do not support this pattern: ${error.message}`
    throw invalidInput(problem, ['properties'])
  }
}
