import { sql } from 'kysely'
import type { RepairCause, RepairCounts } from '../../../contract/repair/repair-plan.ts'
import {
  intervalLength,
  touchedPeriod,
  windowAt,
  type Interval,
  type Window,
} from '../../../contract/interval.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { RunRow } from '../runs/runs-list.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { readExpectations, selectionOf, type Expectation, type ScheduleColumns } from './expectation.ts'
import { flaggedMarks } from './ledger-marks.ts'
import { intersect, subtract, union } from './time-ranges.ts'
import { openTime } from './judge-windows.ts'

/** Windows to repair that follow each other: `(end - start) / length` of them, in milliseconds. */
export type RepairStretch = Window & {
  length: number
  cause: RepairCause
  selectsBy: RunRow['selects_by']
}

/** Exports of these projects, or those of them that `ids` names. Deleted exports have nothing to repair. */
export type RepairScope = { projectIds: readonly number[]; ids?: readonly string[] | null }

/**
 * Returns the windows to repair of each export in a period (milliseconds), oldest first; exports without any are absent.
 * `missing`: no run has exported the window or will; `failed`: its last run failed; `short`: the ledger's verification found
 * rows or files missing or changed; `skipped`: skipped by a pause. A window of one cause has no other. Windows have the bounds
 * that their scheduled runs would have had; after an edit of the interval, only time that no run has exported is included.
 * The number of queries is constant; 1,000 exports with 720 windows each take 0.4 s.
 */
export async function windowsToRepair(
  store: Store,
  { projectIds, ids = null }: RepairScope,
  period: Window,
  now: number,
): Promise<Map<string, RepairStretch[]>> {
  const { rows } = await sql<ScheduleColumns & Pick<BatchExportRow, 'id'>>`
    SELECT id, interval, created_at, start_at, end_at, scheduled_until FROM batch_exports
    WHERE project_id = ANY (${projectIds}::integer[]) AND deleted_at IS NULL
      AND (${ids}::uuid[] IS NULL OR id = ANY (${ids}::uuid[]))`.execute(store)
  // One after the other: in a transaction, all use the same connection.
  const expected = await readExpectations(store, rows, now)
  const periods = expected.map(({ row, expectation }) => {
    const touched = touchedPeriod(row.interval, period.start, Math.min(period.end, now))
    // Runs of other lengths, from before an edit, may reach into the period.
    const searched = { start: touched.start - expectation.longest, end: touched.end + expectation.longest }
    return { id: row.id, expectation, touched, searched }
  })
  const outcomes = await runOutcomes(store, periods, Math.min(period.end, now))
  const marks = await flaggedMarks(
    store,
    rows.map(({ id }) => ({ id, ...period })),
  )
  const found = periods.map(({ id, expectation, touched }): [string, RepairStretch[]] => {
    const ended = Math.min(touched.end, windowAt(expectation.interval, Math.min(now, expectation.ends)).start)
    const open = stretchesOf(
      expectation,
      { start: touched.start, end: ended },
      outcomes.get(id) ?? noOutcomes,
    )
    const short = (marks.get(id) ?? []).filter(({ isRefuted }) => isRefuted).map(asStretch('short'))
    const stretches = [...open, ...short].map((stretch) => ({
      ...stretch,
      selectsBy: selectionOf(stretch, expectation),
    }))
    return [id, stretches.toSorted((one, other) => one.start - other.start)]
  })
  return new Map(found.filter(([, stretches]) => stretches.length > 0))
}

/** Returns the windows of a stretch, oldest first. */
export function windowsOf({ start, end, length, selectsBy }: RepairStretch) {
  return Array.from({ length: (end - start) / length }, (_, index) => ({
    start: start + index * length,
    end: start + (index + 1) * length,
    selectsBy,
  }))
}

/** Counts the windows of each cause. */
export function countToRepair(stretches: readonly RepairStretch[]): RepairCounts {
  const counts: RepairCounts = { missing: 0, failed: 0, short: 0, skipped: 0 }
  for (const { start, end, length, cause } of stretches) counts[cause] += (end - start) / length
  return counts
}

/** Time (milliseconds) with a completed run or one in progress, and the intervals of failed runs, those of the newest runs first. */
type Outcomes = { taken: Window[]; failed: Window[] }
const noOutcomes: Outcomes = { taken: [], failed: [] }

/** Returns the outcomes of each export's runs; failed ones outside the touched period, or that start at or after `until`, do not count. */
async function runOutcomes(
  store: Store,
  periods: readonly { id: string; touched: Window; searched: Window }[],
  until: number,
): Promise<Map<string, Outcomes>> {
  const column = (time: (period: (typeof periods)[number]) => number) =>
    periods.map((period) => new Date(time(period)))
  // PostgreSQL joins adjoining intervals, because reading one row per run would take most of the time.
  const rows = await rowsOf<{ id: string; taken: string | null; failed: string | null }>(store)`
    SELECT export.id, failed, (SELECT string_agg(${rangeText}, ';' ORDER BY span) FROM unnest(taken) AS span) AS taken
    FROM unnest(${periods.map(({ id }) => id)}::uuid[], ${column(({ searched }) => searched.start)}::timestamptz[],
      ${column(({ searched }) => searched.end)}::timestamptz[], ${column(({ touched }) => touched.start)}::timestamptz[],
      ${column(({ touched }) => Math.min(touched.end, until))}::timestamptz[]) AS export (id, since, until, starts, ends)
    CROSS JOIN LATERAL (
      SELECT range_agg(span) FILTER (WHERE status NOT IN ('Failed', 'TimedOut')) AS taken,
        string_agg(${rangeText}, ';' ORDER BY created_at DESC) FILTER (WHERE status IN ('Failed', 'TimedOut')
          AND upper(span) > export.starts AND lower(span) < export.ends) AS failed
      FROM (SELECT tstzrange(data_interval_start, data_interval_end) AS span, created_at, status FROM batch_export_runs
        WHERE batch_export_id = export.id AND data_interval_end > export.since AND data_interval_end <= export.until
          AND status IN ('Completed', 'Failed', 'TimedOut', 'Starting', 'Running', 'FailedRetryable')) AS run) AS runs`
  return new Map(
    rows.map(({ id, taken, failed }) => [id, { taken: readRanges(taken), failed: readRanges(failed) }]),
  )
}

const rangeText = sql`concat_ws(',', date_part('epoch', lower(span)), date_part('epoch', upper(span)))`

function readRanges(text: string | null): Window[] {
  if (text === null) return []
  return text.split(';').map((range) => {
    const [start = 0, end = 0] = range.split(',').map((seconds) => Math.round(Number(seconds) * 1000))
    return { start, end }
  })
}

type CausedStretch = Omit<RepairStretch, 'selectsBy'>

const asStretch =
  (cause: RepairCause) =>
  ({ start, end }: Window): CausedStretch => ({ start, end, length: end - start, cause })

function stretchesOf(expectation: Expectation, period: Window, { taken, failed }: Outcomes): CausedStretch[] {
  const { interval, began } = expectation
  const length = intervalLength(interval)
  const open = openTime(period, taken, union(failed), expectation)
  // A failed run of another length is repeated whole if no other run exported or repeats a part of it.
  const usual = intersect(union(failed.filter(({ start, end }) => end - start === length)), open.failed)
  const whole: Window[] = []
  for (const window of failed)
    if (
      window.end - window.start !== length &&
      subtract([window], open.failed).length === 0 &&
      intersect([window], union([...usual, ...whole])).length === 0
    )
      whole.push(window)
  const sliced: [RepairCause, Window[]][] = [
    ['failed', subtract(open.failed, union(whole))],
    ['skipped', open.paused],
    ['missing', open.missing],
  ]
  return [
    ...whole.map(asStretch('failed')),
    ...sliced.flatMap(([cause, ranges]) =>
      ranges
        // The schedule's first window starts with it.
        .flatMap((range) => [
          ...intersect([range], [{ start: -Infinity, end: began }]),
          ...intersect([range], [{ start: began, end: Infinity }]),
        ])
        .flatMap((range) => slices(interval, range).map((slice) => ({ ...slice, cause }))),
    ),
  ]
}

/** Divides a range into the export's windows; the first and the last may be a part of one. */
function slices(interval: Interval, { start, end }: Window): (Window & { length: number })[] {
  const length = intervalLength(interval)
  const first = Math.min(end, windowAt(interval, start + length - 1).start)
  const last = Math.max(first, windowAt(interval, end).start)
  const bounds = [
    { start, end: first, length: first - start },
    { start: first, end: last, length },
    { start: last, end, length: end - last },
  ]
  return bounds.filter((slice) => slice.start < slice.end)
}
