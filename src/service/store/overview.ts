import { sql } from 'kysely'
import type { BatchExportRow } from './batch-exports.ts'
import type { Store } from './database.ts'
import type { RunRow } from './runs-list.ts'
import type { WindowRun } from './window-runs.ts'

export type OverviewRow = Pick<
  BatchExportRow,
  | 'id'
  | 'project_id'
  | 'name'
  | 'model'
  | 'destination_type'
  | 'destination_config'
  | 'in_project_folder'
  | 'interval'
  | 'paused'
  | 'hogql_query'
  | 'created_at'
  | 'last_paused_at'
  | 'paused_because'
  | 'start_at'
  | 'end_at'
  | 'scheduled_until'
  | 'tags'
  | 'owner'
  | 'note'
> & { earliest_run: Date | null }

/** Returns every batch export of these projects, newest first, with the start of its earliest run. */
export async function overviewRows(store: Store, projectIds: readonly number[]): Promise<OverviewRow[]> {
  const { rows } = await sql<OverviewRow>`
    SELECT id, project_id, name, model, destination_type, destination_config, in_project_folder, interval, paused, left(hogql_query, 1) AS hogql_query,
      created_at, last_paused_at, paused_because, start_at, end_at, scheduled_until, tags, owner, note,
      (SELECT min(data_interval_start) FROM batch_export_runs WHERE batch_export_id = batch_exports.id) AS earliest_run
    FROM batch_exports WHERE project_id = ANY (${projectIds}::integer[]) AND deleted_at IS NULL
    ORDER BY created_at DESC, id DESC`.execute(store)
  return rows
}

/** Returns each export's runs whose interval ends after its `since` (milliseconds), in the order `windowCoverage` needs. */
export async function recentRuns(
  store: Store,
  exports: readonly { id: string; since: number }[],
): Promise<Map<string, WindowRun[]>> {
  const ids = exports.map(({ id }) => id)
  const since = exports.map((one) => new Date(one.since))
  // One text per export, because reading one row per run would take most of the time.
  const { rows } = await sql<{ id: string; runs: string }>`
    SELECT export.id, recent.runs FROM unnest(${ids}::uuid[], ${since}::timestamptz[]) AS export (id, since)
    CROSS JOIN LATERAL (
      SELECT string_agg(concat_ws(',', starts, ends, status, records_completed, records_total_count), ';') AS runs FROM (
        SELECT date_part('epoch', data_interval_start)::bigint AS starts, date_part('epoch', data_interval_end)::bigint AS ends,
          status, records_completed, records_total_count
        FROM batch_export_runs WHERE batch_export_id = export.id AND data_interval_end > export.since
        ORDER BY data_interval_end, data_interval_start, created_at, id) ordered) recent
    WHERE recent.runs IS NOT NULL`.execute(store)
  return new Map(rows.map(({ id, runs }) => [id, runs.split(';').map(readRun)]))
}

function readRun(text: string): WindowRun {
  const [start, end, status, records, total] = text.split(',')
  return {
    id: '',
    status: status as WindowRun['status'],
    start: Number(start) * 1000,
    end: Number(end) * 1000,
    records: Number(records),
    total: total === undefined ? null : Number(total),
    attempt: 0,
    duration: null,
  }
}

export type RunningRun = Pick<
  RunRow,
  'id' | 'batch_export_id' | 'records_completed' | 'records_total_count'
> & { started_at: Date }

/** Returns, by export, the newest run that a worker is executing. */
export async function runningRuns(
  store: Store,
  projectIds: readonly number[],
): Promise<Map<string, RunningRun>> {
  const rows = await store
    .selectFrom('batch_export_runs')
    .distinctOn('batch_export_id')
    .select(['id', 'batch_export_id', 'records_completed', 'records_total_count'])
    .select(sql<Date>`coalesce(started_at, created_at)`.as('started_at'))
    .where('status', '=', 'Running')
    .where(sql<boolean>`project_id = ANY (${projectIds}::integer[])`)
    .orderBy('batch_export_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map((run) => [run.batch_export_id, run]))
}
