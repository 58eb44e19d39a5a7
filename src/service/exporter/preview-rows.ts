import { ClickHouseError } from '@clickhouse/client'
import type { ResponseOf } from '../../contract/endpoints.ts'
import type { Window } from '../../contract/interval.ts'
import { invalidInput } from '../problems/api-error.ts'
import { statementError } from '../problems/down-engine.ts'
import type { Services } from '../services.ts'
import { fileContent } from '../destinations/file-content.ts'
import {
  countRows,
  quoteIdentifier,
  runRows,
  type ExportedColumn,
  type ExportSource,
  type RunRows,
} from '../warehouse/run-rows.ts'

type RowsPreview = Pick<ResponseOf<'previewBatchExport'>, 'columns' | 'rows' | 'rows_in_last_interval'>

const sampleRowsMax = 5
const dayMs = 86_400_000
/** Days before now that are sampled if the last interval has no rows. */
export const sampledDays = 30

/** ClickHouse limits of a preview's queries: bytes of memory, seconds of execution time. */
export const queryLimits = { max_threads: 2, max_memory_usage: 250_000_000, max_execution_time: 4 }

/**
 * Returns what an export of this source would write: its columns, a few rows, and the row count of the interval `last`.
 * @throws ApiError 400 on `hogql_query`, EngineDown when ClickHouse cannot be reached.
 */
export async function previewRows(
  services: Services,
  source: ExportSource,
  last: Window,
): Promise<RowsPreview> {
  const now = services.clock.now()
  const rowsOf = ({ start, end }: Window) =>
    runRows(
      source,
      { data_interval_start: new Date(start), data_interval_end: new Date(end), selects_by: 'arrival' },
      now,
    )
  const rows = await rowsOf(last)
  const earlier = await rowsOf({ start: now - sampledDays * dayMs, end: now })
  return await withApiErrors(async () => {
    const [columns, count, sample] = await Promise.all([
      columnsOf(services, rows),
      countOf(services, rows),
      sampleOf(services, rows),
    ])
    return {
      columns,
      rows: sample.length > 0 ? sample : await sampleOf(services, earlier),
      rows_in_last_interval: count,
    }
  })
}

async function columnsOf({ warehouse }: Services, { from, columns, params }: RunRows) {
  const list = columns.map(({ name, expression }) => `${expression} AS ${quoteIdentifier(name)}`).join(', ')
  const described = await warehouse.query<{ type: string }>(`DESCRIBE TABLE (SELECT ${list} FROM ${from})`, {
    params,
  })
  return columns.map((column, index) => ({
    name: column.name,
    type: typeName(column, described[index]?.type ?? ''),
  }))
}

/** Returns ClickHouse's name of a type, without the wrappers and precision that describe only its storage. */
function typeName({ kind }: ExportedColumn, type: string): string {
  if (kind === 'json') return 'JSON'
  const plain = type
    .replaceAll(/LowCardinality\((\w+)\)/g, '$1')
    .replaceAll(/DateTime64\([^)]*\)/g, 'DateTime')
  return plain.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1')
}

/** Counts the rows; null if that exceeds the limits. */
async function countOf({ warehouse }: Services, rows: RunRows): Promise<number | null> {
  try {
    const settings = { ...queryLimits, use_skip_indexes_if_final_exact_mode: 1 }
    return await countRows(warehouse, rows.from, { params: rows.params, settings })
  } catch (error) {
    if (error instanceof ClickHouseError && exceedsLimits(error)) return null
    throw error
  }
}

/** Returns the first rows found within the time limit, possibly none. */
async function sampleOf({ warehouse }: Services, rows: RunRows): Promise<unknown[][]> {
  const { select, params, settings } = fileContent(
    { ...rows, from: rows.withRepeats ?? rows.from },
    'JSONLines',
    null,
  )
  const lines = await warehouse.query<{ line: string }>(`${select} LIMIT ${sampleRowsMax}`, {
    params,
    settings: { ...settings, ...queryLimits, timeout_overflow_mode: 'break' },
  })
  return lines.map(({ line }) => {
    const values: Record<string, unknown> = JSON.parse(line)
    return rows.columns.map(({ name }) => values[name] ?? null)
  })
}

/**
 * Converts ClickHouse's errors to those of the API: some mistakes in a query surface only when rows are computed. The messages do
 * not contain the `hidden` texts.
 */
export async function withApiErrors<T>(work: () => Promise<T>, hidden: readonly string[] = []): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const error = statementError(thrown)
    if (exceedsLimits(error))
      throw invalidInput('The preview takes too much time or memory: narrow the query or the events.', [
        'hogql_query',
      ])
    const message = hidden.reduce((text, each) => text.replaceAll(each, '***'), error.message)
    throw invalidInput(`Invalid HogQL query: ${message.slice(0, 300)}`, ['hogql_query'])
  }
}

function exceedsLimits({ type }: ClickHouseError): boolean {
  return type === 'TIMEOUT_EXCEEDED' || type === 'MEMORY_LIMIT_EXCEEDED' || type === 'TOO_SLOW'
}
