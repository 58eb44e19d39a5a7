import { sql } from 'kysely'
import type { RepairCause, RepairCounts } from '../../../contract/repair/repair-plan.ts'
import {
  intervalLength,
  intervals,
  touchedPeriod,
  windowAt,
  type Interval,
  type Window,
} from '../../../contract/interval.ts'
import { scheduleOf } from '../../../contract/exports/schedule.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { Store } from '../schema/database.ts'
import type { RunRow } from '../runs/runs-list.ts'
import { scheduleEdits, scheduleStart, selectionOf, skippedBy } from './schedule-history.ts'
import { intersect, subtract, union } from './time-ranges.ts'
import { pausesOf } from './window-runs.ts'

/** Windows to repair that follow each other: `(end - start) / length` of them, in milliseconds. */
export type RepairStretch = Window & {
  length: number
  cause: RepairCause
  selectsBy: RunRow['selects_by']
}

/** Exports of these projects, or those of them that `ids` names. Deleted exports have nothing to repair. */
export type RepairScope = { projectIds: readonly number[]; ids?: readonly string[] | null }

type ExportRow = Pick<
  BatchExportRow,
  'id' | 'interval' | 'created_at' | 'start_at' | 'end_at' | 'scheduled_until'
> & { earliest_run: Date | null; earliest_scheduled: Date | null }

/** An export with the time (milliseconds) in which windows are expected; `began`: start of its schedule's first window. */
type Expectation = { row: ExportRow; began: number; expected: Window[]; skipped: Window[]; period: Window }

const intervalLengthMax = Math.max(...intervals.map(intervalLength))

/**
 * Returns the windows to repair of each export in a period (milliseconds), oldest first; exports without any are absent.
 * `missing`: no run has exported the window or will; `failed`: its last run failed; `short`: the ledger's verification found
 * rows or files missing or changed; `skipped`: skipped by a pause. A window of one cause has no other. Windows have the bounds
 * that their scheduled runs would have had; after an edit of the interval, only time that no run has exported is included.
 * The number of queries is constant; 1,000 exports with 720 windows each take 0.4 s.
 */
export async function windowsToRepair(
  store: Store,
  scope: RepairScope,
  period: Window,
  now: number,
): Promise<Map<string, RepairStretch[]>> {
  const rows = await exportRows(store, scope)
  const ids = rows.map(({ id }) => id)
  // One after the other: in a transaction, all use the same connection.
  const pauses = await pausesOf(store, ids, period.start - intervalLengthMax)
  const edits = await scheduleEdits(store, ids)
  const expectations = rows.map((row): Expectation => {
    const own = edits.get(row.id) ?? []
    const began = scheduleStart(row, own, row.earliest_scheduled)
    const touched = touchedPeriod(row.interval, period.start, Math.min(period.end, now))
    const earliest = Math.min(began, row.earliest_run?.getTime() ?? Infinity)
    // An edit that moves the start forward excludes the windows before it.
    const begins = Math.max(touched.start, earliest, windowAt(row.interval, scheduleOf(row).startAt).start)
    const ends = Math.min(touched.end, windowAt(row.interval, now).start, lastEnd(row))
    const clip = (ranges: readonly Window[]) => intersect(union(ranges), [{ start: begins, end: ends }])
    const skipped = clip((pauses.get(row.id) ?? []).map((pause) => skippedBy(pause, row, now)))
    const scheduled = clip([{ start: begins, end: row.scheduled_until.getTime() }])
    // Runs of other lengths, from before an edit, may reach into the period.
    const wide = own.length > 0 ? intervalLengthMax : 0
    const searched = { start: touched.start - wide, end: touched.end + wide }
    return { row, began, expected: subtract(scheduled, skipped), skipped, period: searched }
  })
  const uncovered = await uncoveredTime(store, expectations, Math.min(period.end, now))
  const refuted = await refutedWindows(store, ids, period)
  const found = new Map<string, RepairStretch[]>()
  for (const expectation of expectations) {
    const { id } = expectation.row
    const stretches = [
      ...stretchesOf(expectation, uncovered.get(id)),
      ...(refuted.get(id) ?? []).map(({ start, end }) => ({
        start,
        end,
        length: end - start,
        cause: 'short' as const,
      })),
    ].map((stretch) => ({ ...stretch, selectsBy: selectionOf(stretch, expectation.began) }))
    if (stretches.length > 0)
      found.set(
        id,
        stretches.toSorted((one, other) => one.start - other.start),
      )
  }
  return found
}

/** Returns the windows of a stretch, oldest first. */
export function windowsOf({ start, end, length }: RepairStretch): Window[] {
  return Array.from({ length: (end - start) / length }, (_, index) => ({
    start: start + index * length,
    end: start + (index + 1) * length,
  }))
}

/** Counts the windows of each cause. */
export function countToRepair(stretches: readonly RepairStretch[]): RepairCounts {
  const counts: RepairCounts = { missing: 0, failed: 0, short: 0, skipped: 0 }
  for (const { start, end, length, cause } of stretches) counts[cause] += (end - start) / length
  return counts
}

async function exportRows(store: Store, { projectIds, ids = null }: RepairScope): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    SELECT id, interval, created_at, start_at, end_at, scheduled_until,
      (SELECT min(data_interval_start) FROM batch_export_runs WHERE batch_export_id = batch_exports.id) AS earliest_run,
      (SELECT min(data_interval_start) FROM batch_export_runs WHERE batch_export_id = batch_exports.id AND origin = 'schedule')
        AS earliest_scheduled
    FROM batch_exports WHERE project_id = ANY (${projectIds}::integer[]) AND deleted_at IS NULL
      AND (${ids}::uuid[] IS NULL OR id = ANY (${ids}::uuid[]))`.execute(store)
  return rows
}

/** Returns the end (milliseconds) of the last window that the export's end allows. */
function lastEnd(row: ExportRow): number {
  const { endAt } = scheduleOf(row)
  return endAt === Infinity ? Infinity : windowAt(row.interval, endAt).start
}

/** Time (milliseconds) without a completed run or one in progress, and the part of it that failed. */
type Uncovered = {
  ranges: Window[]
  /** Failed windows of the export's interval. */
  failed: Window[]
  /** Failed intervals of other lengths, newest runs first. */
  otherFailed: Window[]
}

/** Returns what is uncovered of each export; failed windows that start at or after `until` (milliseconds) do not count. */
async function uncoveredTime(
  store: Store,
  expectations: readonly Expectation[],
  until: number,
): Promise<Map<string, Uncovered>> {
  const column = <Value>(value: (expectation: Expectation) => Value) => expectations.map(value)
  const { rows } = await sql<{
    id: string
    ranges: string
    failed: string | null
    other_failed: string | null
  }>`
    SELECT export.id, ${rangesText(sql`ranges`)} AS ranges, ${rangesText(sql`failed * ranges`)} AS failed, other_failed
    FROM unnest(${column(({ row }) => row.id)}::uuid[], ${column(({ period }) => new Date(period.start))}::timestamptz[],
      ${column(({ period }) => new Date(period.end))}::timestamptz[],
      ${column(({ row }) => `${intervalLength(row.interval) / 1000} seconds`)}::interval[],
      ${column(({ expected, skipped }) => multirange(union([...expected, ...skipped])))}::text[])
      AS export (id, since, until, length, expected)
    CROSS JOIN LATERAL (
      SELECT coalesce(range_agg(span) FILTER (WHERE status NOT IN ('Failed', 'TimedOut')), '{}') AS covered,
        coalesce(range_agg(span) FILTER (WHERE status IN ('Failed', 'TimedOut')), '{}') AS all_failed,
        coalesce(range_agg(span) FILTER (WHERE status IN ('Failed', 'TimedOut') AND upper(span) - lower(span) = length), '{}')
          AS failed,
        string_agg(concat_ws(',', date_part('epoch', lower(span)), date_part('epoch', upper(span)), date_part('epoch', created_at)), ';')
          FILTER (WHERE status IN ('Failed', 'TimedOut') AND upper(span) - lower(span) <> length) AS other_failed
      FROM (SELECT tstzrange(data_interval_start, data_interval_end) AS span, created_at, status FROM batch_export_runs
        WHERE batch_export_id = export.id AND data_interval_end > export.since AND data_interval_end <= export.until
          AND status NOT IN ('Cancelled', 'Terminated')
          AND (status NOT IN ('Failed', 'TimedOut') OR data_interval_start < ${new Date(until)})) AS run) AS runs
    CROSS JOIN LATERAL (SELECT export.expected::tstzmultirange + all_failed - covered AS ranges) AS uncovered
    WHERE NOT isempty(ranges)`.execute(store)
  return new Map(
    rows.map(({ id, ranges, failed, other_failed }) => [
      id,
      {
        ranges: readRanges(ranges),
        failed: readRanges(failed),
        otherFailed: newestFirst(readRanges(other_failed)),
      },
    ]),
  )
}

function multirange(ranges: readonly Window[]): string {
  const text = (time: number) => new Date(time).toISOString()
  return `{${ranges.map(({ start, end }) => `[${text(start)},${text(end)})`).join(',')}}`
}

function rangesText(multirange: ReturnType<typeof sql>) {
  return sql`(SELECT string_agg(concat_ws(',', date_part('epoch', lower(span)), date_part('epoch', upper(span))), ';' ORDER BY span)
    FROM unnest(${multirange}) AS span)`
}

/** Reads ranges with, in a third place, the creation of their runs. */
function readRanges(text: string | null): (Window & { created: number })[] {
  if (text === null) return []
  return text.split(';').map((range) => {
    const [start = 0, end = 0, created = 0] = range
      .split(',')
      .map((seconds) => Math.round(Number(seconds) * 1000))
    return { start, end, created }
  })
}

function newestFirst<Range extends { created: number }>(ranges: readonly Range[]): Range[] {
  return ranges.toSorted((one, other) => other.created - one.created)
}

type CausedStretch = Omit<RepairStretch, 'selectsBy'>

function stretchesOf(
  { row, began, skipped }: Expectation,
  uncovered: Uncovered | undefined,
): CausedStretch[] {
  if (!uncovered) return []
  const { ranges, failed, otherFailed } = uncovered
  // A failed run of another length is repeated whole if no other run exported or repeats a part of it.
  const whole: Window[] = []
  for (const window of otherFailed)
    if (
      subtract([window], ranges).length === 0 &&
      intersect([window], union([...failed, ...whole])).length === 0
    )
      whole.push(window)
  const rest = subtract(ranges, union([...failed, ...whole]))
  const restFailed = intersect(rest, union(otherFailed))
  const notFailed = subtract(rest, restFailed)
  const sliced: [RepairCause, Window[]][] = [
    ['failed', [...failed, ...restFailed]],
    ['skipped', intersect(notFailed, skipped)],
    ['missing', subtract(notFailed, skipped)],
  ]
  return [
    ...whole.map(({ start, end }) => ({ start, end, length: end - start, cause: 'failed' as const })),
    ...sliced.flatMap(([cause, windows]) =>
      splitAt(windows, began).flatMap((window) =>
        slices(row.interval, window).map((slice) => ({ ...slice, cause })),
      ),
    ),
  ]
}

/** Splits the range that contains a time. */
function splitAt(ranges: readonly Window[], time: number): Window[] {
  return ranges.flatMap(({ start, end }) =>
    start < time && time < end
      ? [
          { start, end: time },
          { start: time, end },
        ]
      : [{ start, end }],
  )
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

/** Returns the recorded windows that a verification refuted, unless a run in progress replaces them. */
export async function refutedWindows(
  store: Store,
  ids: readonly string[],
  { start, end }: Window,
): Promise<Map<string, Window[]>> {
  const { rows } = await sql<Window & { id: string }>`
    SELECT batch_export_id AS id, date_part('epoch', data_interval_start) * 1000 AS start,
      date_part('epoch', data_interval_end) * 1000 AS end
    FROM batch_export_ledger entry WHERE batch_export_id = ANY (${ids}::uuid[])
      AND data_interval_end > ${new Date(start)} AND data_interval_start < ${new Date(end)}
      AND is_refuted AND NOT EXISTS (
        SELECT FROM batch_export_runs run WHERE run.batch_export_id = entry.batch_export_id
          AND run.data_interval_end = entry.data_interval_end AND run.data_interval_start = entry.data_interval_start
          AND run.status IN ('Starting', 'Running', 'FailedRetryable'))`.execute(store)
  return Map.groupBy(rows, ({ id }) => id)
}
