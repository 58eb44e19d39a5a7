import { sql, type RawBuilder } from 'kysely'
import { windowAt, windowsBetween, type Window } from '../../../contract/interval.ts'
import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { RunRow } from '../runs/runs-list.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { expectationOf, noHistory, readExpectations, type ScheduleColumns } from './expectation.ts'
import { judgeWindows, type JudgedWindow } from './judge-windows.ts'
import { nextWindowEnd, windowEndAt, windowSeconds } from './next-window.ts'
import { readRuns, runsText, type WindowRun } from './window-runs.ts'

/*
 * The newest and the unfinished windows of all exports at once, from which alerts follow. Judging every window of every export
 * would take too long, so statements select the few windows that may count, and only those are judged.
 */

/** The columns of an export by which its findings are grouped. */
export type WatchedExport = Pick<
  BatchExportRow,
  'id' | 'project_id' | 'interval' | 'destination_type' | 'destination_config' | 'integration_config'
>
const watchedColumns = [
  'id',
  'project_id',
  'interval',
  'destination_type',
  'destination_config',
  'integration_config',
]
const watched = (row: string, columns: readonly string[] = watchedColumns): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))

/** An export, its windows to judge, from the one with a data interval that ends at `ends` to `until`, and the runs that touch them. */
type Candidate = WatchedExport & ScheduleColumns & { ends: Date; until: Date | null; runs: string | null }
const scheduleColumns = ['created_at', 'start_at', 'end_at', 'scheduled_until']

/** Selects candidates from `source`, whose rows have the columns of an export, `ends` and `until`; OFFSET 0 keeps PostgreSQL from computing the bound twice. */
const candidates = (source: RawBuilder<unknown>, columns: readonly string[] = []) => sql`
  SELECT ${watched('found', [...watchedColumns, ...scheduleColumns, ...columns, 'ends', 'until'])}, touching.runs
  FROM (${source}) found
  CROSS JOIN LATERAL (
    SELECT found.id, first_end - make_interval(secs => ${windowSeconds}) AS starts, greatest(first_end, found.until) AS ends
    FROM (SELECT ${windowEndAt(sql`found.ends - interval '1 microsecond'`)} AS first_end OFFSET 0) bounds) period
  CROSS JOIN LATERAL ${runsText(sql`period`, sql`id::text`)} touching`

/** Judges the windows of each candidate by those runs that `counts` accepts. */
async function judgeCandidates<Row extends Candidate>(
  store: Store,
  rows: readonly Row[],
  now: number,
  counts: (run: WindowRun) => boolean = () => true,
): Promise<{ row: Row; judged: (Window & JudgedWindow)[] }[]> {
  const found = rows.map((row) => {
    const { start, end } = windowAt(row.interval, row.ends.getTime() - 1)
    const until = Math.max(end, windowAt(row.interval, (row.until ?? row.ends).getTime()).start)
    const runs = row.runs === null ? [] : readRuns(row.runs).filter(counts)
    return { row, windows: windowsBetween(row.interval, start, until), runs }
  })
  // Runs of exactly one window decide without the history of their export, which takes as long to read as all else.
  const others = found.filter(
    ({ windows: [first, ...more], runs }) =>
      more.length > 0 ||
      runs.length === 0 ||
      runs.some(({ start, end }) => start !== first?.start || end !== first.end),
  )
  const expected = await readExpectations(
    store,
    others.map(({ row }) => row),
    now,
  )
  const expectations = new Map(expected.map(({ row, expectation }) => [row.id, expectation]))
  return found.map(({ row, windows, runs }) => {
    const expectation = expectations.get(row.id) ?? expectationOf(row, noHistory, now)
    const judged = judgeWindows(windows, runs, [], expectation, now)
    return {
      row,
      judged: windows.flatMap((window, index) => (judged[index] ? [{ ...window, ...judged[index] }] : [])),
    }
  })
}

/** `latest_error` and `failure_cause`: of the newest finished window, which failed; null if it did not. */
export type FailingExport = WatchedExport &
  PausedColumns & { latest_error: string | null; failure_cause: string | null }
type PausedColumns = Pick<BatchExportRow, 'paused' | 'paused_because'>

/**
 * Returns the exports whose newest finished window has failed, and those that paused themselves. Runs in progress do not count;
 * a window that has not ended, as after an edit of the interval, has failed if its newest run has.
 */
export async function failingExports(store: Store, now: number): Promise<FailingExport[]> {
  // If the newest run completed exactly one window, the export does not fail.
  const { rows } = await candidates(
    sql`
    SELECT export.*, coalesce(newest.ends, created_at) AS ends, NULL::timestamptz AS until, status = 'Completed' AS is_complete
    FROM batch_exports export LEFT JOIN LATERAL (
      SELECT data_interval_end AS ends, data_interval_start AS starts, status FROM batch_export_runs
      WHERE batch_export_id = export.id AND status IN ('Completed', 'Failed', 'TimedOut')
      ORDER BY data_interval_end DESC, data_interval_start DESC, created_at DESC, id DESC LIMIT 1) newest ON true
    WHERE deleted_at IS NULL AND (paused_because IS NOT NULL OR status <> 'Completed'
      OR date_part('epoch', newest.ends - starts) <> ${windowSeconds})`,
    ['paused', 'paused_because', 'is_complete'],
  )
    .$castTo<PausedColumns & Candidate & { is_complete: boolean | null }>()
    .execute(store)
  const judged = await judgeCandidates(store, rows, now, ({ status }) => !isRunInProgress(status))
  const failed = new Map(
    judged.flatMap(({ row, judged: [newest] }) => {
      const isOver = newest && (newest.end <= now || row.is_complete === false)
      return isOver && newest.state === 'failed' && newest.run ? [[row.id, newest.run.id]] : []
    }),
  )
  const { rows: runs } = await sql<Pick<RunRow, 'id' | 'latest_error' | 'failure_cause'>>`
    SELECT id, latest_error, failure_cause FROM batch_export_runs
    WHERE id = ANY (${[...failed.values()]}::uuid[])`.execute(store)
  const errors = new Map(runs.map((run) => [run.id, run]))
  return rows.flatMap((row) => {
    const run = errors.get(failed.get(row.id) ?? '')
    if (!run && row.paused_because === null) return []
    const latest_error = run ? (run.latest_error ?? 'The export failed.') : null
    return [{ ...row, latest_error, failure_cause: run?.failure_cause ?? null }]
  })
}

export type LateExport = WatchedExport & { ends: Date }
const pending: readonly WindowState[] = ['running', 'waiting', 'due']

/** Windows of an export that are searched for a late one. */
export const lateWindowsMax = 48

/**
 * Returns the exports with a late window, and the end of the first: one that ended before `before`, and whose run is missing or
 * unfinished. The search starts at the oldest unfinished scheduled run, which may be longer or shorter than its window now.
 */
export async function lateExports(store: Store, before: Date, now: number): Promise<LateExport[]> {
  const { rows } = await candidates(sql`
    WITH unfinished AS (
      SELECT batch_export_id AS id, min(data_interval_end) AS ends FROM batch_export_runs
      WHERE status IN ('Starting', 'Running', 'FailedRetryable') AND origin = 'schedule' GROUP BY 1
    ), due AS MATERIALIZED (
      SELECT id, ${nextWindowEnd} AS ends FROM batch_exports WHERE deleted_at IS NULL AND NOT paused
    )
    SELECT export.*, oldest.ends, least(${before}::timestamptz, oldest.ends + ${lateWindowsMax - 1} * make_interval(secs => ${windowSeconds})) AS until
    FROM batch_exports export LEFT JOIN unfinished USING (id) LEFT JOIN due USING (id)
    CROSS JOIN LATERAL (SELECT least(unfinished.ends, due.ends) AS ends) oldest
    WHERE deleted_at IS NULL AND oldest.ends < ${before}`)
    .$castTo<Candidate>()
    .execute(store)
  const judged = await judgeCandidates(store, rows, now)
  return judged.flatMap(({ row, judged }) => {
    const ends = judged.flatMap(({ state, end }, index) =>
      pending.includes(state) ? [index === 0 ? row.ends : new Date(end)] : [],
    )
    const late = ends.find((end) => end < before)
    return late ? [{ ...row, ends: late }] : []
  })
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

export type ShortExport = WatchedExport & { windows: number; newest: Date }

/**
 * Returns the exports with windows that have fewer rows at their destination than they should and than the source still holds,
 * also while they are exported again. Counted in SQL, because all windows of all exports can be short at once; a test compares
 * the number with that of the repair plan.
 */
export async function shortExports(store: Store, now: number): Promise<ShortExport[]> {
  return await rowsOf<ShortExport>(store)`
    SELECT ${watched('export')}, short.windows, short.newest FROM (
      SELECT batch_export_id AS id, count(*) AS windows, max(data_interval_start) AS newest FROM batch_export_ledger
      WHERE is_refuted AND (rows_written < rows_expected OR rows_read < rows_written OR objects_found = 'gone')
        AND data_interval_end > ${new Date(now - shortDays * dayMs)} GROUP BY 1) short
    JOIN batch_exports export USING (id) WHERE deleted_at IS NULL`
}

type NewestRow = WatchedExport & { start: number; end: number; rows_written: number }
/** `history`: start (ms) and rows of earlier windows in the same hour of the week, like `start,rows;start,rows`. */
export type NewestWindow = NewestRow & { history: string }

type History = Window & { at: number; history: string | null }
const histories = new WeakMap<Store, ReadonlyMap<string, History>>()

/**
 * Returns the newest recorded window of each running export, with those of the same hour in the eight weeks before. These are
 * cached while the window stays the newest, because reading them takes most of the time and weeks ago hardly changes.
 */
export async function newestWindows(store: Store, now: number): Promise<NewestWindow[]> {
  const rows = await rowsOf<NewestRow>(store)`
    SELECT ${watched('export')}, (date_part('epoch', starts) * 1000)::bigint AS start,
      (date_part('epoch', ends) * 1000)::bigint AS end, rows_written
    FROM batch_exports export
    CROSS JOIN LATERAL (SELECT data_interval_start AS starts, data_interval_end AS ends, rows_written
      FROM batch_export_ledger WHERE batch_export_id = export.id
      ORDER BY data_interval_start DESC, data_interval_end DESC LIMIT 1) newest
    WHERE deleted_at IS NULL AND NOT paused`
  const known = histories.get(store)
  const isKnown = ({ id, start, end }: NewestRow) => {
    const one = known?.get(id)
    return one?.start === start && one.end === end && now - one.at < freshMs
  }
  const read = await readHistories(
    store,
    rows.filter((row) => !isKnown(row)),
  )
  const current = rows.map((row): [string, History] => {
    const { id, start, end } = row
    const before = isKnown(row) ? known?.get(id) : undefined
    return [id, before ?? { start, end, at: now, history: read.get(id) ?? null }]
  })
  histories.set(store, new Map(current))
  return rows.flatMap((row, index) => {
    const history = current[index]?.[1].history
    return history ? [{ ...row, history }] : []
  })
}

/** Returns the histories of these windows by export; of a window without any, none. */
async function readHistories(
  store: Store,
  windows: readonly (Window & { id: string })[],
): Promise<Map<string, string>> {
  if (windows.length === 0) return new Map()
  const rows = await rowsOf<{ id: string; history: string }>(store)`
    SELECT newest.id, earlier.history
    FROM unnest(${windows.map(({ id }) => id)}::uuid[], ${windows.map(({ start }) => new Date(start))}::timestamptz[],
      ${windows.map(({ end }) => new Date(end))}::timestamptz[]) AS newest (id, starts, ends)
    CROSS JOIN LATERAL (
      SELECT string_agg((date_part('epoch', since) * 1000)::bigint || ',' || rows, ';') AS history
      FROM generate_series(1, 8) AS week CROSS JOIN LATERAL (
        -- The limit, above the most windows of an hour, makes PostgreSQL look each hour up instead of reading the whole table.
        SELECT data_interval_start AS since, ledger.rows_written AS rows FROM batch_export_ledger ledger
        WHERE batch_export_id = newest.id
          AND data_interval_start >= date_trunc('hour', starts, 'UTC') - week * interval '7 days'
          AND data_interval_start < date_trunc('hour', starts, 'UTC') - week * interval '7 days' + interval '1 hour'
          AND data_interval_end - data_interval_start = ends - starts
        ORDER BY data_interval_start, data_interval_end LIMIT 20) slot) earlier
    WHERE earlier.history IS NOT NULL`
  return new Map(rows.map(({ id, history }) => [id, history]))
}
