import { sql } from 'kysely'
import type { BatchExportRow } from './batch-exports.ts'
import { dayOf } from './day-changes.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RunRow } from './runs-list.ts'

export type OverviewRow = Omit<
  BatchExportRow,
  'destination_secrets' | 'schema' | 'last_updated_at' | 'deleted_at'
>

/** Returns these batch exports, in any order. */
export async function overviewRows(store: Store, ids: readonly string[]): Promise<OverviewRow[]> {
  return await rowsOf<OverviewRow>(store)`
    SELECT id, project_id, name, model, destination_type, destination_config, integration_id, integration_config, interval, paused, left(hogql_query, 1) AS hogql_query,
      created_at, last_paused_at, paused_because, pause_reason, paused_until, start_at, end_at, scheduled_until,
      tags, owner, note
    FROM batch_exports WHERE id = ANY (${ids}::uuid[]) AND deleted_at IS NULL`
}

export type OverviewVersion = Pick<BatchExportRow, 'id' | 'interval'> & { version: string | null }

/**
 * Returns every batch export of these projects, newest first, each with a version of its settings and of the states of its windows:
 * that of its own row and of the stored states of today, which `refreshDays` writes after every change. The version is null
 * while a change waits for that, or a window has ended since.
 */
export async function overviewVersions(
  store: Store,
  projectIds: readonly number[],
  now: number,
): Promise<OverviewVersion[]> {
  return await rowsOf<OverviewVersion>(store)`
    SELECT export.id, interval, CASE WHEN
        EXISTS (SELECT FROM batch_export_days WHERE batch_export_id = export.id AND valid_until <= ${new Date(now)})
        OR EXISTS (SELECT FROM batch_export_day_changes WHERE batch_export_id = export.id) THEN NULL
      ELSE export.xmin::text || today.ctid::text || today.xmin::text END AS version
    FROM batch_exports export LEFT JOIN batch_export_days today ON today.batch_export_id = export.id AND day = ${dayOf(now)}
    WHERE project_id = ANY (${projectIds}::integer[]) AND deleted_at IS NULL
    ORDER BY export.created_at DESC, export.id DESC`
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
