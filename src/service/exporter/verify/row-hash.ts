import type { EngineLimits } from '../../config.ts'
import type { FileDestination } from '../../destinations/destination-driver.ts'
import { memoryLimits, fileContent } from '../../destinations/file-content.ts'
import type { QuerySettings, Row, Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import type { ReadPlace } from '../../destinations/file-store.ts'
import { quoteIdentifier, type ExportSource, type RunRows } from '../../warehouse/run-rows.ts'

/** Number of rows, and a hash of them that does not depend on their order. */
export type RowSum = { rows: number; sum: bigint; xor: bigint }

type Statement = { sql: string; params: Row; settings: QuerySettings }

/** How to hash the rows of a source, and the same rows in a file. */
export type RowHash = {
  source: Statement
  /** Returns the statement for a file. */
  ofFile(place: ReadPlace): Statement
}

/**
 * The columns that identify a row of each model. For a query, all of its columns are hashed.
 * Properties are left out: reading them takes longer than writing the file.
 */
const identity: Record<ExportSource['model'], readonly string[]> = {
  events: ['uuid', 'event', 'distinct_id', 'timestamp'],
  persons: ['distinct_id', 'person_id', 'person_version', 'person_distinct_id_version', 'is_deleted'],
  recordings: ['session_id', 'distinct_id', 'version', 'start_time'],
}

const emptySum: RowSum = { rows: 0, sum: 0n, xor: 0n }

/**
 * Returns statements that hash the same rows on both sides with the same expression. Parquet and the lines of a model's
 * own columns are read with the types of the source; the lines of a query are hashed as text, since JSON loses types.
 */
export async function rowHash(
  warehouse: Warehouse,
  source: Pick<ExportSource, 'model' | 'hogql_query'>,
  rows: RunRows,
  { format, compression }: Pick<FileDestination, 'format' | 'compression'>,
  limits: EngineLimits,
): Promise<RowHash> {
  const hasQuery = source.hogql_query !== null
  const byLine = hasQuery && format === 'JSONLines'
  const columns = hasQuery
    ? rows.columns
    : rows.columns.filter(({ name }) => identity[source.model].includes(name))
  const { select, settings, params } = fileContent(
    { ...rows, columns },
    byLine ? 'JSONLines' : 'Parquet',
    null,
  )
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ')
  const structure = byLine ? 'line String' : await structureOf(warehouse, select, params)
  // cityHash64 would return NULL for a row with a NULL, which columns of a query can have.
  const hash = byLine
    ? 'cityHash64(line)'
    : `cityHash64(${hasQuery ? `toJSONString(tuple(${names}))` : names})`
  const sums = (from: string) =>
    `SELECT count() AS rows, toString(sum(hash)) AS sum, toString(groupBitXor(hash)) AS xor FROM (SELECT ${hash} AS hash FROM ${from})`
  const common = { ...settings, ...memoryLimits(limits), ...readBack }
  const lines = byLine ? 'LineAsString' : 'JSONEachRow'
  return {
    source: { sql: sums(`(${select})`), params, settings: common },
    ofFile: (place) => ({
      sql: sums(
        `${place.tableFunction}(${place.arguments}, {format: String}, {structure: String}, {compression: String})`,
      ),
      params: {
        ...place.params,
        structure,
        format: format === 'Parquet' ? 'Parquet' : lines,
        compression: format === 'Parquet' ? 'none' : (compression ?? 'none'),
      },
      settings: { ...common, ...place.settings },
    }),
  }
}

const readBack: QuerySettings = {
  max_threads: 1,
  // The small blocks of a statement that writes a file would only take time.
  max_block_size: 65_409,
  input_format_parallel_parsing: 0,
  input_format_skip_unknown_fields: 1,
  // Properties, which are skipped, can contain lone surrogates.
  input_format_json_throw_on_bad_escape_sequence: 0,
  // A changed file must fail to be read, not be filled with defaults.
  input_format_parquet_allow_missing_columns: 0,
  // The type of a query's column can be LowCardinality(UInt64), as that of length(event) is.
  allow_suspicious_low_cardinality_types: 1,
  date_time_input_format: 'best_effort',
  max_execution_time: 600,
}

async function structureOf(warehouse: Warehouse, select: string, params: Row): Promise<string> {
  const columns = await warehouse.query<{ name: string; type: string }>(`DESCRIBE TABLE (${select})`, {
    params,
  })
  return columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ')
}

/** Runs a statement of a `RowHash`. */
export async function sumRows(warehouse: Warehouse, { sql, params, settings }: Statement, mark: string) {
  const options = { params, settings, lane: 'export', mark } as const
  const [row] = await warehouse.query<{ rows: number; sum: string; xor: string }>(sql, options)
  return row ? { rows: Number(row.rows), sum: BigInt(row.sum), xor: BigInt(row.xor) } : emptySum
}

/** Adds the rows of several files, as if one statement had read all of them. */
export function addSums(sums: readonly RowSum[]): RowSum {
  return sums.reduce(
    (total, { rows, sum, xor }) => ({
      rows: total.rows + rows,
      sum: BigInt.asUintN(64, total.sum + sum),
      xor: total.xor ^ xor,
    }),
    emptySum,
  )
}

/** Returns the hash as 32 hexadecimal digits. */
export function hashText({ sum, xor }: RowSum): string {
  return [sum, xor].map((part) => part.toString(16).padStart(16, '0')).join('')
}
