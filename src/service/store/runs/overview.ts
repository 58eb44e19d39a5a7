import { sql } from 'kysely'
import type { BatchExportRow } from './batch-exports.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RunRow } from './runs-list.ts'

export type OverviewRow = Omit<
  BatchExportRow,
  'destination_secrets' | 'schema' | 'last_updated_at' | 'deleted_at'
>

/** Returns every batch export of these projects, newest first. */
export async function overviewRows(store: Store, projectIds: readonly number[]): Promise<OverviewRow[]> {
  return await rowsOf<OverviewRow>(store)`
    SELECT id, project_id, name, model, destination_type, destination_config, integration_id, integration_config, interval, paused, left(hogql_query, 1) AS hogql_query,
      created_at, last_paused_at, paused_because, pause_reason, paused_until, start_at, end_at, scheduled_until,
      tags, owner, note
    FROM batch_exports WHERE project_id = ANY (${projectIds}::integer[]) AND deleted_at IS NULL
    ORDER BY created_at DESC, id DESC`
}

export type RunningRun = Pick<
  RunRow,
  'id' | 'batch_export_id' | 'records_completed' | 'records_total_count'
> & { started_at: Date }

/** Returns, by export, the newest run that a worker is executing. */
export async function runningRuns(store: Store, projectIds: readonly number[]) {
  const { rows } = await sql<RunningRun>`
    SELECT DISTINCT ON (batch_export_id) id, batch_export_id, records_completed, records_total_count,
      coalesce(started_at, created_at) AS started_at
    FROM batch_export_runs WHERE status = 'Running' AND project_id = ANY (${projectIds}::integer[])
    ORDER BY batch_export_id, created_at DESC, id DESC`.execute(store)
  return new Map(rows.map((run) => [run.batch_export_id, run]))
}
