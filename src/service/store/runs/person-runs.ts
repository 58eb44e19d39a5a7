import { sql } from 'kysely'
import type { Interval } from '../../../contract/interval.ts'
import type { BatchExportRow } from './batch-exports.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RunRow } from './runs-list.ts'

const runsMax = 5

/** An export with all intervals that it has had and whether it has backfills. */
export type ComparedExport = Pick<
  BatchExportRow,
  'id' | 'project_id' | 'name' | 'model' | 'interval' | 'hogql_query' | 'destination_config'
> & { former_intervals: Interval[]; has_backfills: boolean; total: number }

/** Returns the newest exports of a project; `total` is the number of all. Deleted ones are left out unless they are `included`. */
export async function exportsToCompare(
  store: Store,
  projectId: number,
  limit: number | null,
  deleted: 'included' | 'left out' = 'left out',
) {
  return await rowsOf<ComparedExport>(store)`
    SELECT export.id, project_id, name, model, interval, hogql_query, destination_config, count(*) OVER () AS total,
      EXISTS (SELECT FROM batch_export_backfills WHERE batch_export_id = export.id) AS has_backfills,
      ARRAY(SELECT DISTINCT field ->> 'before' FROM batch_export_changes change, jsonb_array_elements(change.fields) AS field
        WHERE change.batch_export_id = export.id AND field ->> 'field' = 'interval' AND field ->> 'before' IS NOT NULL) AS former_intervals
    FROM batch_exports export WHERE project_id = ${projectId} AND (deleted_at IS NULL OR ${deleted === 'included'})
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`
}

type FormerSelection = Pick<ComparedExport, 'id' | 'model' | 'hogql_query' | 'destination_config'>

/** Returns what selected the rows of the recorded windows of a project's exports, which may have been edited since. */
export async function selectionsInLedger(store: Store, projectId: number) {
  return await rowsOf<FormerSelection>(store)`
    SELECT DISTINCT export.id, settings ->> 'model' AS model, settings ->> 'hogql_query' AS hogql_query,
      jsonb_build_object('include_events', settings -> 'destination_config' -> 'include_events',
        'exclude_events', settings -> 'destination_config' -> 'exclude_events') AS destination_config
    FROM batch_exports export JOIN batch_export_ledger entry ON entry.batch_export_id = export.id
    WHERE project_id = ${projectId}`
}

/** A window (bounds in milliseconds) with rows, which a run contains if it selects by `selectsBy` and started at or after `arrived`. */
export type HeldWindow = { start: number; end: number; arrived: number; selectsBy: RunRow['selects_by'] }

export type RunsWithRows = {
  batch_export_id: string
  /** Number of windows with a completed run. */
  windows: number
  /** The latest run of each of the newest windows, newest first. */
  runs: Pick<RunRow, 'id' | 'data_interval_start' | 'data_interval_end'>[]
}

type HeldRun = RunsWithRows['runs'][number] & Omit<RunsWithRows, 'runs'>

/** Finds the completed runs of these windows. Exports without one are left out. */
export async function runsOfWindows(
  store: Store,
  exportIds: readonly string[],
  windows: readonly HeldWindow[],
): Promise<RunsWithRows[]> {
  if (windows.length === 0) return []
  const times = (column: 'start' | 'end' | 'arrived') => windows.map((window) => new Date(window[column]))
  const { rows } = await sql<HeldRun>`
    SELECT * FROM (
      SELECT *, count(*) OVER (PARTITION BY batch_export_id) AS windows,
        row_number() OVER (PARTITION BY batch_export_id ORDER BY data_interval_start DESC, data_interval_end) AS number
      FROM (
        SELECT DISTINCT ON (run.batch_export_id, run.data_interval_start, run.data_interval_end)
          run.batch_export_id, run.id, run.data_interval_start, run.data_interval_end
        FROM unnest(${times('start')}::timestamptz[], ${times('end')}::timestamptz[], ${times('arrived')}::timestamptz[],
          ${windows.map(({ selectsBy }) => selectsBy)}::text[]) AS held (starts, ends, arrived, selects_by)
        JOIN batch_export_runs run ON run.batch_export_id = ANY (${exportIds}::uuid[])
          AND run.data_interval_end = held.ends AND run.data_interval_start = held.starts
          AND run.selects_by = held.selects_by AND run.status = 'Completed'
          AND coalesce(run.started_at, run.created_at) >= held.arrived
        ORDER BY run.batch_export_id, run.data_interval_start, run.data_interval_end, run.created_at DESC, run.id DESC) AS latest) AS numbered
    WHERE number <= ${runsMax} ORDER BY batch_export_id, number`.execute(store)
  return [...Map.groupBy(rows, (row) => row.batch_export_id)].map(([id, runs]) => ({
    batch_export_id: id,
    windows: runs[0]?.windows ?? 0,
    runs,
  }))
}
