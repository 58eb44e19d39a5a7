import type { Interval, Window } from '../../../contract/interval.ts'
import { beginSchedule, moveSchedule, nextWindows, scheduleOf } from '../../../contract/exports/schedule.ts'

type ScheduleFields = { interval: Interval; start_at: string | null; end_at: string | null }
/** The schedule before an edit. */
type Before = { interval: Interval; start_at: string | null }

export type ScheduleOutlook = {
  /** The coming windows, oldest first, up to the end. */
  windows: Window[]
  /** Windows of a shorter new interval that have already ended; they are exported at once. */
  behind: { windows: number; since: number } | null
}

/**
 * Returns the effect of saving a schedule. A new schedule begins with the window that contains `now`, or at its later
 * start. An edited one continues, so its first window may be shorter, up to the next boundary of the interval.
 */
export function scheduleOutlook(
  fields: ScheduleFields,
  before: Before | null,
  now: number,
  amount: number,
): ScheduleOutlook {
  const schedule = scheduleOf(fields)
  const cursor = before
    ? moveSchedule(beginSchedule(scheduleOf({ ...before, end_at: null }), now), schedule, now)
    : beginSchedule(schedule, now)
  const passed = nextWindows(schedule, cursor, now, Infinity)
  return {
    windows: nextWindows(schedule, passed.at(-1)?.end ?? cursor, Infinity, amount),
    behind: passed.length > 0 ? { windows: passed.length, since: cursor } : null,
  }
}
