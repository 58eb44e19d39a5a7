import { sql, type RawBuilder } from 'kysely'
import type { Interval } from '../../../contract/interval.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { Store } from '../schema/database.ts'
import { flaggedMarks } from './ledger-marks.ts'
import { nextWindowEnd } from './next-window.ts'

/*
 * The newest and the unfinished windows of all exports at once, from which alerts follow. A statement reads only the runs that
 * decide, since judging every window of every export would take too long.
 */

/** The columns of an export by which its findings are grouped. */
export type WatchedExport = Pick<
  BatchExportRow,
  'id' | 'project_id' | 'interval' | 'destination_type' | 'destination_config'
>
const watched = (row: string): RawBuilder<unknown> =>
  sql.join(
    ['id', 'project_id', 'interval', 'destination_type', 'destination_config'].map((column) =>
      sql.ref(`${row}.${column}`),
    ),
  )

/** `latest_error` and `failure_cause`: of the newest finished window, which failed; null if it did not. */
export type FailingExport = WatchedExport &
  Pick<BatchExportRow, 'paused' | 'paused_because'> & {
    latest_error: string | null
    failure_cause: string | null
  }

/** Returns the exports whose newest finished window has failed, and those that paused themselves. */
export async function failingExports(store: Store): Promise<FailingExport[]> {
  const { rows } = await sql<FailingExport>`
    SELECT ${watched('export')}, paused, paused_because, failed.failure_cause,
      CASE WHEN failed.id IS NOT NULL THEN coalesce(failed.latest_error, 'The export failed.') END AS latest_error
    FROM batch_exports export
    LEFT JOIN LATERAL (SELECT data_interval_end AS ends, data_interval_start AS starts, status FROM batch_export_runs
      WHERE batch_export_id = export.id AND status IN ('Completed', 'Failed', 'TimedOut')
      ORDER BY data_interval_end DESC, data_interval_start DESC, created_at DESC, id DESC LIMIT 1) newest ON true
    LEFT JOIN LATERAL (SELECT id, latest_error FROM batch_export_runs
      WHERE newest.status <> 'Completed' AND batch_export_id = export.id AND data_interval_end = newest.ends
        AND data_interval_start = newest.starts AND status IN ('Completed', 'Failed', 'TimedOut')
      ORDER BY (status = 'Completed') DESC, created_at DESC, id DESC LIMIT 1) deciding ON true
    LEFT JOIN batch_export_runs failed ON failed.id = deciding.id AND failed.status <> 'Completed'
    WHERE deleted_at IS NULL AND (failed.id IS NOT NULL OR paused_because IS NOT NULL)`.execute(store)
  return rows
}

export type LateExport = WatchedExport & { ends: Date }

/** Returns the exports with a window that ended before `before` and whose scheduled run is not finished, or not created. */
export async function lateExports(store: Store, before: Date): Promise<LateExport[]> {
  const { rows } = await sql<LateExport>`
    WITH unfinished AS (
      SELECT batch_export_id AS id, min(data_interval_end) AS ends FROM batch_export_runs
      WHERE status IN ('Starting', 'Running', 'FailedRetryable') AND origin = 'schedule' GROUP BY 1
    ), due AS (
      SELECT id, ${nextWindowEnd} AS ends FROM batch_exports WHERE deleted_at IS NULL AND NOT paused
    )
    SELECT ${watched('export')}, least(unfinished.ends, due.ends) AS ends FROM batch_exports export
    LEFT JOIN unfinished USING (id) LEFT JOIN due USING (id)
    WHERE deleted_at IS NULL AND least(unfinished.ends, due.ends) < ${before}`.execute(store)
  return rows
}

const dayMs = 86_400_000
/** Exports whose durations one evaluation reads; the others follow in the next. */
const exportsMax = 200
/** Time (ms) for which durations stay cached. */
const freshMs = dayMs / 4

/** Number and p99 (ms) of the durations of an export's runs. */
export type Durations = { runs: number; p99: number }
const cached = new WeakMap<object, Map<string, Durations & { at: number }>>()

/** Returns the durations of these exports' scheduled runs of 30 days; reads at most `exportsMax` that are not cached. */
export async function usualDurations(
  { store, cacheKey }: { store: Store; cacheKey: object },
  ids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Durations>> {
  const durations = cached.get(cacheKey) ?? new Map<string, Durations & { at: number }>()
  cached.set(cacheKey, durations)
  const isFresh = (id: string) => now - (durations.get(id)?.at ?? -Infinity) < freshMs
  const asked = ids.filter((id) => !isFresh(id)).slice(0, exportsMax)
  if (asked.length > 0) {
    const { rows } = await sql<Durations & { id: string }>`
      SELECT asked.id, count(duration) AS runs, coalesce(percentile_disc(0.99) WITHIN GROUP (ORDER BY duration), 0)::bigint AS p99
      FROM unnest(${asked}::uuid[]) AS asked (id) LEFT JOIN LATERAL (
        SELECT date_part('epoch', finished_at - started_at) * 1000 AS duration FROM batch_export_runs
        WHERE batch_export_id = asked.id AND created_at > ${new Date(now - 30 * dayMs)}
          AND status = 'Completed' AND origin = 'schedule') runs ON true
      GROUP BY asked.id`.execute(store)
    for (const { id, ...row } of rows) durations.set(id, { ...row, at: now })
  }
  return durations
}

/** Days within which windows that lack rows at their destination are found. */
const shortDays = 30

export type ShortExport = WatchedExport & { windows: number; newest: number }

/**
 * Returns the exports with windows that have fewer rows at their destination than they should and than the source still holds,
 * as the ledger says; also while a run exports them again.
 */
export async function shortExports(store: Store, now: number): Promise<ShortExport[]> {
  const start = now - shortDays * dayMs
  const { rows } = await sql<WatchedExport>`
    SELECT ${watched('export')} FROM batch_exports export WHERE deleted_at IS NULL AND id IN (
      SELECT batch_export_id FROM batch_export_ledger WHERE is_refuted AND data_interval_end > ${new Date(start)})`.execute(
    store,
  )
  const marks = await flaggedMarks(
    store,
    rows.map(({ id }) => ({ id, start, end: now })),
  )
  return rows.flatMap((row) => {
    const short = (marks.get(row.id) ?? []).filter(
      ({ flags, isUnheld }) => !isUnheld && (flags.includes('short') || flags.includes('gone')),
    )
    const newest = short.at(-1)
    return newest ? [{ ...row, windows: short.length, newest: newest.start }] : []
  })
}

export type NewestWindow = WatchedExport & {
  start: number
  end: number
  rows_written: number
  /** Start (ms) and rows of earlier windows in the same hour of the week, like `start,rows;start,rows`. */
  history: string
}

/** Returns the newest recorded window of each running export, with those of the same hour in the eight weeks before. */
export async function newestWindows(store: Store): Promise<NewestWindow[]> {
  const { rows } = await sql<NewestWindow & { interval: Interval }>`
    SELECT ${watched('export')}, (date_part('epoch', starts) * 1000)::bigint AS start,
      (date_part('epoch', ends) * 1000)::bigint AS end, rows_written, earlier.history
    FROM batch_exports export
    CROSS JOIN LATERAL (SELECT data_interval_start AS starts, data_interval_end AS ends, rows_written
      FROM batch_export_ledger WHERE batch_export_id = export.id
      ORDER BY data_interval_start DESC, data_interval_end DESC LIMIT 1) newest
    CROSS JOIN LATERAL (
      SELECT string_agg((date_part('epoch', since) * 1000)::bigint || ',' || rows, ';') AS history
      FROM generate_series(1, 8) AS week CROSS JOIN LATERAL (
        -- The limit, above the most windows of an hour, makes PostgreSQL look each hour up instead of reading the whole table.
        SELECT data_interval_start AS since, ledger.rows_written AS rows FROM batch_export_ledger ledger
        WHERE batch_export_id = export.id
          AND data_interval_start >= date_trunc('hour', starts, 'UTC') - week * interval '7 days'
          AND data_interval_start < date_trunc('hour', starts, 'UTC') - week * interval '7 days' + interval '1 hour'
          AND data_interval_end - data_interval_start = ends - starts
        ORDER BY data_interval_start, data_interval_end LIMIT 20) slot) earlier
    WHERE deleted_at IS NULL AND NOT paused AND earlier.history IS NOT NULL`.execute(store)
  return rows
}
