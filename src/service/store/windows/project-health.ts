import { sql } from 'kysely'
import type { ChangeKind } from '../../../contract/exports/batch-export-change.ts'
import { encodeStates, type WindowState } from '../../../contract/runs/window-state.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { RunningRun } from '../runs/overview.ts'
import type { RunRow } from '../runs/runs-list.ts'
import { rowsOf, type Store } from '../schema/database.ts'

export type HealthRow = Pick<
  BatchExportRow,
  'id' | 'name' | 'interval' | 'paused' | 'paused_because' | 'start_at' | 'end_at' | 'scheduled_until'
> & {
  has_run: boolean
  /** States of the windows that start on the days from `from` on; see `encodeStates`. */
  states: string
  /** See `ExportsToRepairTable`. */
  to_repair: number
}

/** A window in one of these states has a run; only of an export without such windows are the runs themselves read. */
const statesWithRun: WindowState[] = ['completed', 'short', 'failed', 'running', 'waiting']

/** Returns a project's exports with their states since the day `from`, for weekly exports two weeks longer. */
export async function healthRows(store: Store, projectId: number, from: number): Promise<HealthRow[]> {
  return await rowsOf<HealthRow>(store)`
    SELECT *, CASE WHEN states ~ ${`[${encodeStates(statesWithRun)}]`} THEN true
      ELSE (SELECT true FROM batch_export_runs WHERE batch_export_id = stored.id LIMIT 1) IS NOT NULL END AS has_run
    FROM (SELECT id, name, interval, paused, paused_because, start_at, end_at, scheduled_until,
      coalesce((SELECT string_agg(states, '' ORDER BY day) FROM batch_export_days
        WHERE batch_export_id = id AND day >= CASE interval WHEN 'week' THEN ${from - 14}::integer ELSE ${from}::integer END), '') AS states,
      coalesce((SELECT windows FROM batch_exports_to_repair WHERE batch_export_id = id), 0) AS to_repair
      FROM batch_exports WHERE project_id = ${projectId} AND deleted_at IS NULL OFFSET 0) AS stored
    ORDER BY name, id`
}

/**
 * Returns, for each period (milliseconds), the rows of each export of a project: those of the newest runs of the windows that
 * ended in it. Exports without rows are absent.
 */
export async function rowsOfPeriods(
  store: Store,
  projectId: number,
  periods: readonly { start: number; end: number }[],
): Promise<Map<string, number>[]> {
  const { rows } = await sql<{ place: number; id: string; rows: number }>`
    SELECT place, export.id, sum(newest.rows)::bigint AS rows
    FROM unnest(${periods.map(({ start }) => new Date(start))}::timestamptz[], ${periods.map(({ end }) => new Date(end))}::timestamptz[])
      WITH ORDINALITY AS period (starts, ends, place)
    CROSS JOIN (SELECT id FROM batch_exports WHERE project_id = ${projectId} AND deleted_at IS NULL) export
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (data_interval_end, data_interval_start) records_completed AS rows FROM batch_export_runs
      WHERE batch_export_id = export.id AND status = 'Completed' AND data_interval_end > period.starts AND data_interval_end <= period.ends
      ORDER BY data_interval_end DESC, data_interval_start DESC, created_at DESC, id DESC) newest
    WHERE newest.rows > 0 GROUP BY place, export.id`.execute(store)
  const found = Map.groupBy(rows, ({ place }) => place)
  return periods.map((_, index) => new Map(found.get(index + 1)?.map((row) => [row.id, row.rows])))
}

/** Whether the first start filled this project with sample data. */
export async function isSampleProject(store: Store, projectId: number): Promise<boolean> {
  const rows = await rowsOf(store)`
    SELECT FROM installation WHERE name = 'sample_project' AND (value::jsonb ->> 'project')::integer = ${projectId}`
  return rows.length > 0
}

type Named = { export_id: string; name: string }

/** Returns the exports with runs that failed since a time, newest failure first, and the number of all. */
export async function failuresSince(store: Store, projectId: number, since: Date, max: number) {
  return await rowsOf<Named & { at: Date; count: number; run: string; error: string | null; total: number }>(
    store,
  )`
    SELECT export.id AS export_id, export.name, failed.at, failed.count, failed.run, run.latest_error AS error,
      count(*) OVER () AS total
    FROM (SELECT batch_export_id, max(finished_at) AS at, count(*) AS count,
        (array_agg(id ORDER BY finished_at DESC, id DESC))[1] AS run
      FROM batch_export_runs WHERE project_id = ${projectId} AND status IN ('Failed', 'TimedOut') AND finished_at > ${since}
      GROUP BY batch_export_id) failed
    JOIN batch_exports export ON export.id = failed.batch_export_id AND export.deleted_at IS NULL
    JOIN batch_export_runs run ON run.id = failed.run
    ORDER BY failed.at DESC LIMIT ${max}`
}

/** Returns who created, paused, unpaused or deleted exports of a project since a time, newest first, and the number of all. */
export async function changesSince(store: Store, projectId: number, since: Date, max: number) {
  return await rowsOf<Named & { kind: ChangeKind; by: string | null; at: Date; total: number }>(store)`
    SELECT export.id AS export_id, export.name, change.kind, change.actor AS by, change.created_at AS at,
      count(*) OVER () AS total
    FROM batch_export_changes change JOIN batch_exports export ON export.id = change.batch_export_id
    WHERE change.project_id = ${projectId} AND change.created_at > ${since}
      AND change.kind IN ('created', 'cloned', 'paused', 'unpaused', 'deleted')
    ORDER BY change.created_at DESC, change.id DESC LIMIT ${max}`
}

type RunningNow = Omit<RunningRun, 'batch_export_id'> &
  Pick<RunRow, 'data_interval_start' | 'data_interval_end'>

/** Returns the newest runs of a project that workers are executing, and the number of all. */
export async function newestRunning(store: Store, projectId: number, max: number) {
  return await rowsOf<Named & RunningNow & { total: number }>(store)`
    SELECT run.id, export.id AS export_id, export.name, data_interval_start, data_interval_end,
      coalesce(started_at, run.created_at) AS started_at, records_completed, records_total_count, count(*) OVER () AS total
    FROM batch_export_runs run JOIN batch_exports export ON export.id = run.batch_export_id
    WHERE run.status = 'Running' AND run.project_id = ${projectId}
    ORDER BY run.created_at DESC, run.id DESC LIMIT ${max}`
}

/** Returns the newest backfills of a project that have not finished. */
export async function runningBackfills(store: Store, projectId: number, max: number) {
  return await rowsOf<Named & { id: string; total_runs: number; finished_runs: number }>(store)`
    SELECT backfill.id, export.id AS export_id, export.name, total_runs,
      total_runs - (SELECT count(*) FROM batch_export_runs
        WHERE backfill_id = backfill.id AND status IN ('Starting', 'Running', 'FailedRetryable')) AS finished_runs
    FROM batch_export_backfills backfill JOIN batch_exports export ON export.id = backfill.batch_export_id
    WHERE backfill.project_id = ${projectId} AND backfill.status IN ('Starting', 'Running')
    ORDER BY backfill.created_at DESC, backfill.id DESC LIMIT ${max}`
}

/** The newest recording of a project with the name of its person; undefined without recordings. */
export async function newestRecording(store: Store, projectId: number) {
  const { rows } = await sql<{ id: string; distinct_id: string; person: string | null; at: Date }>`
    SELECT recording.session_id AS id, recording.distinct_id, person_name(person.properties) AS person, recording.start_time AS at
    FROM (SELECT session_id, distinct_id, start_time FROM session_recordings
      WHERE project_id = ${projectId} AND deleted_at IS NULL ORDER BY start_time DESC, id DESC LIMIT 1) recording
    LEFT JOIN person_distinct_ids own ON own.project_id = ${projectId} AND own.distinct_id = recording.distinct_id
    LEFT JOIN persons person ON person.id = own.person_id`.execute(store)
  return rows[0]
}

/** Counts the recordings with console errors that started after a time, among the newest `max` recordings. */
export async function recordingsWithErrors(store: Store, projectId: number, since: Date, max: number) {
  const { rows } = await sql<{ count: number; at: Date | null }>`
    SELECT count(*) AS count, max(start_time) AS at FROM (
      SELECT console_error_count, start_time FROM session_recordings
      WHERE project_id = ${projectId} AND deleted_at IS NULL AND start_time > ${since}
      ORDER BY start_time DESC, id DESC LIMIT ${max}) newest
    WHERE console_error_count > 0`.execute(store)
  return rows[0] ?? { count: 0, at: null }
}
