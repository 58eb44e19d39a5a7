import { sql } from 'kysely'
import type { SweptData } from '../../../contract/privacy/retention.ts'
import { rowsOf, type Store } from '../schema/database.ts'

/** Rows of a day, in days since 1970-01-01 UTC. */
export type DayCount = { day: number; rows: number }

/** Rows that one statement deletes. */
export const batchMax = 5000

type Counted = { projectId: number } | { since: number }

/** Counts runs by the day on which their windows ended: those of a project, or of all since a time (milliseconds). */
export async function runsByDay(store: Store, counted: Counted) {
  const condition =
    'since' in counted
      ? sql`data_interval_end >= ${new Date(counted.since)}`
      : sql`project_id = ${counted.projectId}`
  return await rowsOf<DayCount>(store)`
    SELECT day_of(data_interval_end) AS day, count(*) AS rows FROM batch_export_runs
    WHERE ${condition} GROUP BY day ORDER BY day`
}

/** Counts log entries by day: those of a project's exports, or of all since a time (milliseconds). */
export async function logsByDay(store: Store, counted: Counted) {
  const condition =
    'since' in counted
      ? sql`timestamp >= ${new Date(counted.since)}`
      : sql`batch_export_id IN (SELECT id FROM batch_exports WHERE project_id = ${counted.projectId})`
  return await rowsOf<DayCount>(store)`
    SELECT day_of(timestamp) AS day, count(*) AS rows FROM batch_export_logs
    WHERE ${condition} GROUP BY day ORDER BY day`
}

/** Returns the bytes that an average row of a table takes with its indexes. */
export async function bytesPerRow(store: Store, table: 'batch_export_runs' | 'batch_export_logs') {
  const [size] = await rowsOf<{ bytes: number; rows: number }>(store)`
    SELECT pg_total_relation_size(oid) AS bytes, CASE WHEN reltuples > 0 THEN reltuples::bigint
      ELSE (SELECT count(*) FROM ${sql.table(table)}) END AS rows
    FROM pg_class WHERE oid = ${table}::regclass`
  return size && size.rows > 0 ? size.bytes / size.rows : 0
}

/** Returns the bytes of blocks, before compression, that recordings have got since a time. */
export async function blockBytesSince(store: Store, since: Date): Promise<number> {
  const [sum] = await rowsOf<{ bytes: number }>(store)`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM session_recording_blocks WHERE start_time >= ${since}`
  return sum?.bytes ?? 0
}

/** Returns the exports of a project that run, or were paused automatically and are to catch up, with the start of the first window that they have yet to export completely. */
export async function exportsInProgress(store: Store, projectId: number) {
  return await rowsOf<{ id: string; name: string; model: string; since: Date }>(store)`
    SELECT id, name, model, least(scheduled_until, (SELECT min(data_interval_start) FROM batch_export_runs
      WHERE batch_export_id = export.id AND status IN ('Starting', 'Running', 'FailedRetryable'))) AS since
    FROM batch_exports export WHERE project_id = ${projectId} AND deleted_at IS NULL AND (
      (NOT paused OR paused_because IS NOT NULL) AND (end_at IS NULL OR scheduled_until < end_at)
      OR EXISTS (SELECT FROM batch_export_runs WHERE batch_export_id = export.id
        AND status IN ('Starting', 'Running', 'FailedRetryable')))`
}

/** Deletes a batch of the log entries of a project's exports from before a time; returns their number. */
export async function deleteLogsBefore(store: Store, projectId: number, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM batch_export_logs WHERE id IN (
      SELECT id FROM batch_export_logs WHERE timestamp < ${before}
        AND batch_export_id IN (SELECT id FROM batch_exports WHERE project_id = ${projectId}) LIMIT ${batchMax})`.execute(
    store,
  )
  return Number(numAffectedRows)
}

/** Lets the next sweep of a project whose limits have just been set wait for its time; `last` was the last time of sweeps. */
export async function startSweeps(store: Store, projectId: number, { now, last }: { now: Date; last: Date }) {
  await sql`UPDATE privacy_settings SET swept_at = ${now}, swept = NULL
    WHERE project_id = ${projectId} AND (swept_at IS NULL OR swept_at < ${last})`.execute(store)
}

/** When a project was last swept, or its limits were first set; `swept` is null before the first sweep. */
export type Swept = { project_id: number; swept_at: Date; swept: SweptData | null }

/** Returns the projects with a limit, or one of them. */
export async function sweptProjects(store: Store, projectId: number | null = null): Promise<Swept[]> {
  return await rowsOf<Swept>(store)`
    SELECT project_id, swept_at, swept FROM privacy_settings
    WHERE coalesce(event_days, event_bytes, run_days, run_bytes, log_days, log_bytes) IS NOT NULL AND swept_at IS NOT NULL
      AND (${projectId}::integer IS NULL OR project_id = ${projectId}::integer) ORDER BY project_id`
}
