import { ClickHouseError } from '@clickhouse/client'
import type { ResponseOf } from '../../contract/endpoints.ts'
import type { Window } from '../../contract/interval.ts'
import { invalidInput } from '../problems/api-error.ts'
import { EngineDown } from '../problems/down-engine.ts'
import type { Services } from '../services.ts'
import { fileContent } from './file-content.ts'
import {
  countRows,
  quoteIdentifier,
  runRows,
  type ExportedColumn,
  type ExportSource,
  type RunRows,
} from './run-rows.ts'

type RowsPreview = Pick<ResponseOf<'previewBatchExport'>, 'columns' | 'rows' | 'rows_in_last_interval'>

const sampleSize = 5
const day = 86_400_000
/** Where the last interval has no rows, the sample is taken from so many days. */
const earlierDays = 30

const bounds = { max_threads: 2, max_memory_usage: 250_000_000, max_execution_time: 4 }

/**
 * What an export of this source would write: its columns, a few rows, and how many the interval `last` has.
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
  const earlier = await rowsOf({ start: now - earlierDays * day, end: now })
  return await inWords(async () => {
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

/** ClickHouse's name of the type, without what only says how it is stored. */
function typeName({ kind }: ExportedColumn, type: string): string {
  if (kind === 'json') return 'JSON'
  const plain = type
    .replaceAll(/LowCardinality\((\w+)\)/g, '$1')
    .replaceAll(/DateTime64\([^)]*\)/g, 'DateTime')
  return plain.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1')
}

/** null when counting takes too long. */
async function countOf({ warehouse }: Services, rows: RunRows): Promise<number | null> {
  try {
    const settings = { ...bounds, use_skip_indexes_if_final_exact_mode: 1 }
    const [counted] = await warehouse.query<{ count: number }>(countRows(rows.from), {
      params: rows.params,
      settings,
    })
    return counted?.count ?? 0
  } catch (error) {
    if (error instanceof ClickHouseError && isOutOfBounds(error)) return null
    throw error
  }
}

/** The first rows that are found; fewer, or none, when finding them takes too long. */
async function sampleOf({ warehouse }: Services, rows: RunRows): Promise<unknown[][]> {
  const { select, params, settings } = fileContent(
    { ...rows, from: rows.withRepeats ?? rows.from },
    'JSONLines',
    null,
  )
  const lines = await warehouse.query<{ line: string }>(`${select} LIMIT ${sampleSize}`, {
    params,
    settings: { ...settings, ...bounds, timeout_overflow_mode: 'break' },
  })
  return lines.map(({ line }) => {
    const values: Record<string, unknown> = JSON.parse(line)
    return rows.columns.map(({ name }) => values[name] ?? null)
  })
}

/** Errors of the query's values show only when rows are computed. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw new EngineDown('ClickHouse', error)
    if (isOutOfBounds(error))
      throw invalidInput(
        'The preview takes more time or memory than it may: narrow the query or the events.',
        ['hogql_query'],
      )
    throw invalidInput(`Invalid HogQL query: ${error.message.slice(0, 300)}`, ['hogql_query'])
  }
}

function isOutOfBounds({ type }: ClickHouseError): boolean {
  return type === 'TIMEOUT_EXCEEDED' || type === 'MEMORY_LIMIT_EXCEEDED' || type === 'TOO_SLOW'
}
