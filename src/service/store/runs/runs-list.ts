import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { RunStatus, runOrderings } from '../../../contract/runs/batch-export-run.ts'
import type { Store } from '../schema/database.ts'
import type { RunsTable } from '../schema/export-tables.ts'
import { keysetPage, type KeysetPage, type PagePosition } from '../schema/keyset-page.ts'

export type RunRow = Selectable<RunsTable>
export type RunOrdering = (typeof runOrderings)[number]

const runsPageSize = 100
const latestRunsPerExport = 10

export type RunFilter = {
  statuses?: readonly RunStatus[] | undefined
  /** Bounds of `created_at`, both inclusive. */
  after?: Date | undefined
  before?: Date | undefined
  /** Bounds of the data interval: it starts at or after `start` and ends at or before `end`. */
  start?: Date | undefined
  end?: Date | undefined
  /** A UUID, or `none` for runs that the schedule started. */
  backfill?: string | undefined
}

/** Returns a page of an export's runs; null if the position's run is not one of them. */
export function pageOfRuns(
  store: Store,
  batchExportId: string,
  filter: RunFilter,
  ordering: RunOrdering,
  position: PagePosition | null,
): Promise<KeysetPage<RunRow> | null> {
  return keysetPage(store, {
    from: sql`batch_export_runs AS run`,
    among: sql`batch_export_id = ${batchExportId}`,
    filter: runConditions(filter),
    position,
    size: runsPageSize,
    column: ordering.replace('-', ''),
    descending: ordering.startsWith('-'),
  })
}

/** Returns the filter as a condition on `run`. */
export function runConditions(filter: RunFilter): RawBuilder<boolean> {
  const { statuses, after, before, start, end, backfill } = filter
  const conditions = [sql`true`]
  if (statuses && statuses.length > 0) conditions.push(sql`run.status = ANY (${statuses}::text[])`)
  if (after) conditions.push(sql`run.created_at >= ${after}`)
  if (before) conditions.push(sql`run.created_at <= ${before}`)
  if (start) conditions.push(sql`run.data_interval_start >= ${start}`)
  if (end) conditions.push(sql`run.data_interval_end <= ${end}`)
  if (backfill === 'none') conditions.push(sql`run.backfill_id IS NULL`)
  else if (backfill) conditions.push(sql`run.backfill_id = ${backfill}`)
  return sql`${sql.join(conditions, sql` AND `)}`
}

const plainColumns = [
  'id',
  'batch_export_id',
  'backfill_id',
  'status',
  'attempt',
  'records_completed',
  'records_total_count',
  'bytes_exported',
  'latest_error',
] as const
const instantColumns = [
  'data_interval_start',
  'data_interval_end',
  'created_at',
  'finished_at',
  'last_updated_at',
] as const

/** A run in a long list. Times are UTC text without a zone, because parsing thousands of dates takes too long. */
export type LatestRun = Pick<RunRow, (typeof plainColumns)[number]> & {
  [Column in (typeof instantColumns)[number]]: RunRow[Column] extends Date ? string : string | null
}

/** Returns the ten newest runs of each export, newest first, in one statement. */
export async function latestRuns(store: Store, batchExportIds: readonly string[]) {
  const columns = [
    ...plainColumns.map((column) => sql.ref(column)),
    ...instantColumns.map(
      (column) => sql`(${sql.ref(column)} AT TIME ZONE 'UTC')::text AS ${sql.ref(column)}`,
    ),
  ]
  const { rows } = await sql<LatestRun>`
    SELECT run.* FROM unnest(${batchExportIds}::uuid[]) AS export (id)
    CROSS JOIN LATERAL (
      SELECT ${sql.join(columns)} FROM batch_export_runs
      WHERE batch_export_id = export.id
      ORDER BY batch_export_runs.created_at DESC, batch_export_runs.id DESC LIMIT ${latestRunsPerExport}
    ) AS run`.execute(store)
  return Map.groupBy(rows, (run) => run.batch_export_id)
}

/** Version of an export's ten newest runs: their rows' physical positions and the transactions that wrote them. */
export const latestRunsVersion = sql<string>`ARRAY(
  SELECT run.ctid::text || run.xmin::text FROM batch_export_runs run WHERE run.batch_export_id = batch_exports.id
  ORDER BY run.created_at DESC, run.id DESC LIMIT ${latestRunsPerExport})::text`
