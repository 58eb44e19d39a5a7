import { sql } from 'kysely'
import { intervalLength, windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { beginSchedule, scheduleOf } from '../../../contract/exports/schedule.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { RunRow } from '../runs/runs-list.ts'
import type { Store } from '../schema/database.ts'
import { union } from './time-ranges.ts'

/** Which windows an export should have exported; times in milliseconds. */
export type Expectation = {
  interval: Interval
  /** Start of the schedule's first window, whatever was edited since. */
  began: number
  /**
   * Start of the time to export: of the schedule, or of an earlier run; an edit that moves the start excludes what is before, and
   * so does the end of the retention of runs.
   */
  begins: number
  /** A window that ends later gets no run. */
  ends: number
  /** Every window that ends before was given a run, or was skipped. */
  scheduledUntil: number
  /** Time whose windows pauses have skipped by now: disjoint, oldest first. */
  skipped: readonly Window[]
  /** Oldest first. */
  pauses: readonly RecordedPause[]
  /** Start of the earliest run; null without any. */
  earliestRun: number | null
  /** Length of the longest windows that the export ever had. */
  longest: number
}

/** A pause with the time whose windows it had skipped when it last ended; `skippedFrom` is null if there was none. */
type RecordedPause = {
  start: number
  /** Null while the export is paused. */
  end: number | null
  skippedFrom: number | null
  skippedUntil: number | null
}

/** An edit of an export's interval or start, with the values before it; `at` in milliseconds. */
type ScheduleEdit = { at: number; interval?: Interval; start_at?: string | null }

export type ScheduleColumns = Pick<
  BatchExportRow,
  'interval' | 'created_at' | 'start_at' | 'end_at' | 'scheduled_until'
>

/** The facts that tell with an export's columns what to expect. */
export type ScheduleHistory = {
  earliestRun: number | null
  /** Start of the first window with a scheduled run; null without any. */
  earliestScheduled: number | null
  /** Runs of windows that end by this time have been removed; null if none were. */
  keptFrom?: number | null
  /** Oldest first. */
  pauses: readonly RecordedPause[]
  /** Newest first. */
  edits: readonly ScheduleEdit[]
}

type ExportColumns = ScheduleColumns & Pick<BatchExportRow, 'id'>

/** Returns these exports with what to expect of each, in their order; one query reads it all. */
export async function readExpectations<Row extends ExportColumns>(
  store: Store,
  exports: readonly Row[],
  now: number,
): Promise<{ row: Row; expectation: Expectation }[]> {
  if (exports.length === 0) return []
  const { rows } = await sql<ScheduleHistory & { id: string }>`
    SELECT export.id,
      (SELECT date_part('epoch', min(data_interval_start)) * 1000 FROM batch_export_runs
        WHERE batch_export_id = export.id) AS "earliestRun",
      (SELECT date_part('epoch', min(data_interval_start)) * 1000 FROM batch_export_runs
        WHERE batch_export_id = export.id AND origin = 'schedule') AS "earliestScheduled",
      (SELECT date_part('epoch', runs_kept_from) * 1000 FROM privacy_settings JOIN batch_exports USING (project_id)
        WHERE batch_exports.id = export.id) AS "keptFrom",
      (SELECT coalesce(jsonb_agg(jsonb_build_object(
          'start', ${milliseconds('started_at')}, 'end', ${milliseconds('ended_at')},
          'skippedFrom', ${milliseconds('skipped_from')}, 'skippedUntil', ${milliseconds('skipped_until')})
          ORDER BY started_at), '[]')
        FROM batch_export_pauses WHERE batch_export_id = export.id) AS pauses,
      (SELECT coalesce(jsonb_agg(edit.values || jsonb_build_object('at', ${milliseconds('created_at')})
          ORDER BY created_at DESC, change.id DESC), '[]')
        FROM batch_export_changes change CROSS JOIN LATERAL (
          SELECT jsonb_object_agg(field ->> 'field', field -> 'before') AS values FROM jsonb_array_elements(fields) AS field
          WHERE field ->> 'field' IN ('interval', 'start_at')) AS edit
        WHERE batch_export_id = export.id AND kind <> 'created' AND edit.values IS NOT NULL) AS edits
    FROM unnest(${exports.map(({ id }) => id)}::uuid[]) AS export (id)`.execute(store)
  const found = new Map(rows.map((row) => [row.id, row]))
  return exports.map((row) => ({
    row,
    expectation: expectationOf(row, found.get(row.id) ?? noHistory, now),
  }))
}

export async function readExpectation(store: Store, row: ExportColumns, now: number): Promise<Expectation> {
  const [read] = await readExpectations(store, [row], now)
  return read?.expectation ?? expectationOf(row, noHistory, now)
}

const milliseconds = (column: string) => sql`(date_part('epoch', ${sql.ref(column)}) * 1000)::bigint`

export const noHistory: ScheduleHistory = {
  earliestRun: null,
  earliestScheduled: null,
  pauses: [],
  edits: [],
}

export function expectationOf(row: ScheduleColumns, history: ScheduleHistory, now: number): Expectation {
  const { earliestRun, earliestScheduled, pauses, edits, keptFrom } = history
  const { startAt, endAt } = scheduleOf(row)
  const began = Math.min(scheduleStart(row, edits), earliestScheduled ?? Infinity)
  const intervals = [row.interval, ...edits.flatMap(({ interval }) => interval ?? [])]
  return {
    interval: row.interval,
    began,
    begins: Math.max(
      Math.min(began, earliestRun ?? Infinity),
      windowAt(row.interval, startAt).start,
      typeof keptFrom === 'number' ? windowAt(row.interval, keptFrom).start : -Infinity,
    ),
    ends: endAt,
    scheduledUntil: row.scheduled_until.getTime(),
    skipped: union(pauses.map((pause) => skippedBy(pause, row, now))),
    pauses,
    earliestRun,
    longest: Math.max(...intervals.map(intervalLength)),
  }
}

function scheduleStart(row: ScheduleColumns, edits: readonly ScheduleEdit[]): number {
  let cursor = beginSchedule(scheduleBefore(row, edits, -Infinity), row.created_at.getTime())
  // Editing a schedule that has not begun makes it begin again.
  for (const { at } of edits.toReversed())
    if (cursor > at) cursor = beginSchedule(scheduleBefore(row, edits, at + 1), at)
  return cursor
}

/** Returns the schedule that applied before the edits made at or after `time`. */
function scheduleBefore(row: ScheduleColumns, edits: readonly ScheduleEdit[], time: number) {
  const undone = edits.filter(({ at }) => at >= time)
  const earlier = undone.reduce((schedule, { at: _at, ...before }) => ({ ...schedule, ...before }), {
    interval: row.interval,
    start_at: row.start_at as Date | string | null,
  })
  return scheduleOf({ ...earlier, end_at: row.end_at })
}

/** Returns the time whose windows a pause skipped, or has skipped by `now`; it may be empty. */
function skippedBy(pause: RecordedPause, { interval, scheduled_until }: ScheduleColumns, now: number) {
  const { start, end, skippedFrom, skippedUntil } = pause
  if (end !== null) return { start: skippedFrom ?? end, end: skippedUntil ?? end }
  const pausedIn = windowAt(interval, start).start
  const resumesIn = windowAt(interval, now).start
  // A pause within one window skips nothing.
  if (pausedIn >= resumesIn) return { start, end: start }
  return { start: skippedFrom ?? Math.max(scheduled_until.getTime(), pausedIn), end: resumesIn }
}

/**
 * Returns how a repeated window selects rows, so that a late event is neither lost nor exported twice: by arrival, as its
 * scheduled run does, or by time if the window ended before the schedule began.
 */
export function selectionOf({ end }: Window, { began }: Pick<Expectation, 'began'>): RunRow['selects_by'] {
  return end <= began ? 'time' : 'arrival'
}
