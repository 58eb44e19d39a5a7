import { sql, type RawBuilder } from 'kysely'
import type { DestinationPlace } from '../../../contract/destinations/destination.ts'
import { placedConfig } from './placed-config.ts'
import type { Interval } from '../../../contract/interval.ts'
import { atBucketOrFolder, failurePeriodMsMax } from '../../../contract/runs/failure-cause.ts'
import { anyBatchExport } from './batch-exports.ts'
import { rowsOf, type Store } from '../schema/database.ts'

const failed = sql`status IN ('Failed', 'TimedOut')`

/** Failed runs that ended in [start, end), of a project or only of one export. */
export type FailurePeriod = { projectId: number; start: Date; end: Date; batchExport?: string | undefined }

/** Failures of one export with the same cause. */
export type ExportFailures = {
  cause: string
  id: string
  name: string
  interval: Interval
  paused: boolean
  failures: number
  windows: number
  windows_left: number
  needs_fix: boolean
  first_seen: Date
  first_window: Date
  last_seen: Date
  /** The newest run. */
  run: string
}

/**
 * Defines `newest`, the newest failed run of each window, and `remaining`, the ids of those whose window no run has exported
 * since or is exporting now. A run of another length, from before the export's interval was changed, can cover several windows.
 */
function windowsThatFailed({ projectId, start, end, batchExport }: FailurePeriod): RawBuilder<unknown> {
  return sql`failed AS MATERIALIZED (
      SELECT run.id, batch_export_id, failure_cause AS cause, run.created_at, coalesce(started_at, finished_at) AS started,
        finished_at, data_interval_start AS starts, data_interval_end AS ends, name, interval, paused
      FROM batch_export_runs run JOIN batch_exports batch_export ON batch_export.id = batch_export_id
      WHERE run.project_id = ${projectId} AND run.${failed} AND finished_at >= ${start} AND finished_at < ${end}
        AND failure_cause IS NOT NULL AND deleted_at IS NULL
        AND ${batchExport === undefined ? sql`true` : sql`batch_export_id = ${batchExport}::uuid`}
    ), newest AS MATERIALIZED (
      SELECT DISTINCT ON (batch_export_id, starts, ends) * FROM failed
      ORDER BY batch_export_id, starts, ends, created_at DESC, id DESC
    ), wider AS MATERIALIZED (
      SELECT run.batch_export_id, data_interval_start AS starts, data_interval_end AS ends
      FROM (SELECT batch_export_id, min(starts) AS since, min(ends - starts) AS length FROM newest GROUP BY 1) AS bounds
        JOIN batch_export_runs run ON run.batch_export_id = bounds.batch_export_id AND data_interval_end > since
      WHERE ${covers(sql`run`)} AND data_interval_end - data_interval_start > length
    ), remaining AS MATERIALIZED (
      SELECT id FROM newest
      WHERE NOT EXISTS (SELECT FROM batch_export_runs run WHERE run.batch_export_id = newest.batch_export_id
          AND data_interval_end = ends AND data_interval_start = starts AND ${covers(sql`run`)})
        AND NOT EXISTS (SELECT FROM wider WHERE wider.batch_export_id = newest.batch_export_id
          AND wider.starts <= newest.starts AND wider.ends >= newest.ends)
    )`
}

function covers(run: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`${run}.status IN ('Completed', 'Starting', 'Running', 'FailedRetryable')`
}

/**
 * Whether the runs of `failure.id` fail again until its destination is changed: since the newest failed run `started`, it was not
 * changed, and since that run ended (`last_seen`), none completed.
 */
const needsFix = sql<boolean>`(split_part(failure.cause, '|', 1) = ANY (${[...atBucketOrFolder]}::text[])
    AND NOT EXISTS (SELECT FROM batch_export_changes change WHERE change.batch_export_id = failure.id
      AND change.created_at > started AND jsonb_path_exists(fields, '$[*] ? (@.field starts with "destination.")'))
    AND NOT EXISTS (SELECT FROM batch_export_runs later WHERE later.batch_export_id = failure.id
      AND later.status = 'Completed' AND later.finished_at > last_seen))`

/**
 * Returns, of these exports, those whose newest run failed and whose runs fail again until the destination is changed, with the error
 * of that run. Failures longer ago than `failurePeriodMsMax` do not count.
 */
export async function failuresToFix(store: Store, ids: readonly string[], now: number) {
  if (ids.length === 0) return new Map<string, string>()
  const rows = await rowsOf<{ id: string; error: string }>(store)`
    SELECT id, error FROM unnest(${ids}::uuid[]) AS export (export_id) CROSS JOIN LATERAL (
      SELECT batch_export_id AS id, status, failure_cause AS cause, coalesce(started_at, finished_at) AS started,
        finished_at AS last_seen, coalesce(latest_error, '') AS error
      FROM batch_export_runs WHERE batch_export_id = export_id AND status IN ('Completed', 'Failed', 'TimedOut')
      ORDER BY created_at DESC, id DESC LIMIT 1) AS failure
    WHERE ${failed} AND last_seen >= ${new Date(now - failurePeriodMsMax)} AND ${needsFix}`
  return new Map(rows.map(({ id, error }) => [id, error]))
}

/** Returns the failures of a period by cause and export; `needs_fix`: whether the destination must change before a retry can succeed. */
export async function failuresByCause(store: Store, period: FailurePeriod): Promise<ExportFailures[]> {
  return await rowsOf<ExportFailures>(store)`
    WITH ${windowsThatFailed(period)}, counted AS (
      SELECT cause, batch_export_id, count(*) AS windows, count(*) FILTER (WHERE id IN (SELECT id FROM remaining)) AS windows_left
      FROM newest GROUP BY 1, 2
    ), failure AS (SELECT failed.cause, failed.batch_export_id AS id, name, interval, paused, count(*) AS failures,
      coalesce(counted.windows, 0) AS windows, coalesce(counted.windows_left, 0) AS windows_left,
      max(started) AS started, min(finished_at) AS first_seen, min(starts) AS first_window, max(finished_at) AS last_seen,
      (array_agg(failed.id ORDER BY finished_at DESC, failed.id DESC))[1] AS run
    FROM failed LEFT JOIN counted ON counted.cause = failed.cause AND counted.batch_export_id = failed.batch_export_id
    GROUP BY 1, 2, 3, 4, 5, 7, 8)
    SELECT failure.*, ${needsFix} AS needs_fix FROM failure`
}

export type FailureFilter = { cause?: string | undefined; paused?: boolean | undefined }

/** Selects the newest failed run of each remaining window, of one cause, and only of paused or unpaused exports, if given. */
export function remainingRuns(period: FailurePeriod, { cause, paused }: FailureFilter): RawBuilder<unknown> {
  const ofCause = cause === undefined ? sql`` : sql`AND cause = ${cause}`
  const ofState = paused === undefined ? sql`` : sql`AND paused = ${paused}`
  return sql`(WITH ${windowsThatFailed(period)}
    SELECT id, batch_export_id, starts, name FROM newest WHERE id IN (SELECT id FROM remaining) ${ofCause} ${ofState})`
}

/** Selects the ids of exports with a run that failed with a cause. */
export function exportsWithCause({ projectId, start, end }: FailurePeriod, cause: string) {
  return sql`(SELECT batch_export_id FROM batch_export_runs run WHERE run.project_id = ${projectId} AND run.${failed}
    AND finished_at >= ${start} AND finished_at < ${end} AND failure_cause = ${cause})`
}

/** Returns those of these causes with which runs of a project have failed since a time. */
export async function knownCauses(store: Store, projectId: number, since: Date, causes: readonly string[]) {
  const rows = await rowsOf<{ cause: string }>(store)`
    SELECT DISTINCT failure_cause AS cause FROM batch_export_runs run
    WHERE project_id = ${projectId} AND ${failed} AND finished_at >= ${since} AND failure_cause = ANY (${causes}::text[])`
  return rows.map(({ cause }) => cause)
}

/** Returns the errors of these runs, by id. */
export async function errorsOfRuns(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await rowsOf<{ id: string; latest_error: string | null }>(store)`
    SELECT id, latest_error FROM batch_export_runs WHERE id = ANY (${ids}::uuid[])`
  return new Map(rows.map((row) => [row.id, row.latest_error ?? '']))
}

/** Returns where an export writes, even a deleted one. */
export async function destinationOf(store: Store, batchExportId: string): Promise<DestinationPlace> {
  const row = await anyBatchExport(store, batchExportId)
  return { type: row.destination_type, config: placedConfig(row) }
}
