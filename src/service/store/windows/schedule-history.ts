import { sql } from 'kysely'
import { windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { beginSchedule, scheduleOf } from '../../../contract/exports/schedule.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { Store } from '../schema/database.ts'
import type { RunRow } from '../runs/runs-list.ts'
import type { RecordedPause } from './window-runs.ts'

/** An edit of an export's interval or start, with the values before it; `at` in milliseconds. */
type ScheduleEdit = { at: number; interval?: Interval; start_at?: string | null }

type ScheduleColumns = Pick<BatchExportRow, 'interval' | 'created_at' | 'start_at' | 'end_at'>

/** Returns the edits of each export's interval and start, newest first; exports without edits are absent. */
export async function scheduleEdits(
  store: Store,
  batchExportIds: readonly string[],
): Promise<Map<string, ScheduleEdit[]>> {
  const { rows } = await sql<{ id: string; at: Date; values: Omit<ScheduleEdit, 'at'> }>`
    SELECT batch_export_id AS id, created_at AS at, edit.values FROM batch_export_changes CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(field ->> 'field', field -> 'before') AS values FROM jsonb_array_elements(fields) AS field
      WHERE field ->> 'field' IN ('interval', 'start_at')) AS edit
    WHERE batch_export_id = ANY (${batchExportIds}::uuid[]) AND kind <> 'created' AND edit.values IS NOT NULL
    ORDER BY batch_export_changes.created_at DESC, batch_export_changes.id DESC`.execute(store)
  const edits = rows.map(({ id, at, values }) => ({ id, at: at.getTime(), ...values }))
  return Map.groupBy(edits, ({ id }) => id)
}

/** Returns the interval and start that applied before the edits made at or after `time` (milliseconds). */
function scheduleBefore(row: ScheduleColumns, edits: readonly ScheduleEdit[], time: number) {
  const undone = edits.filter(({ at }) => at >= time)
  const earlier = undone.reduce((schedule, { at: _at, ...before }) => ({ ...schedule, ...before }), {
    interval: row.interval,
    start_at: row.start_at as Date | string | null,
  })
  return scheduleOf({ ...earlier, end_at: row.end_at })
}

/**
 * Returns the start (milliseconds) of the first window of an export's schedule, whatever was edited since. `earliestScheduled` is
 * the start of the first window with a scheduled run; null without any.
 */
export function scheduleStart(
  row: ScheduleColumns,
  edits: readonly ScheduleEdit[],
  earliestScheduled: Date | null,
): number {
  const created = row.created_at.getTime()
  let cursor = beginSchedule(scheduleBefore(row, edits, -Infinity), created)
  // Editing a schedule that has not begun makes it begin again.
  for (const { at } of edits.toReversed())
    if (cursor > at) cursor = beginSchedule(scheduleBefore(row, edits, at + 1), at)
  return Math.min(cursor, earliestScheduled?.getTime() ?? Infinity)
}

/** Reads what `scheduleStart` needs, and returns its result. */
export async function readScheduleStart(
  store: Store,
  row: ScheduleColumns & Pick<BatchExportRow, 'id'>,
): Promise<number> {
  const edits = await scheduleEdits(store, [row.id])
  const run = await store
    .selectFrom('batch_export_runs')
    .select((select) => select.fn.min('data_interval_start').as('start'))
    .where('batch_export_id', '=', row.id)
    .where('origin', '=', 'schedule')
    .executeTakeFirst()
  return scheduleStart(row, edits.get(row.id) ?? [], run?.start ?? null)
}

/** Returns the time (milliseconds) whose windows a pause skipped, or has skipped by `now`; it may be empty. */
export function skippedBy(
  pause: RecordedPause,
  { interval, scheduled_until }: Pick<BatchExportRow, 'interval' | 'scheduled_until'>,
  now: number,
): Window {
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
export function selectionOf({ end }: Window, began: number): RunRow['selects_by'] {
  return end <= began ? 'time' : 'arrival'
}
