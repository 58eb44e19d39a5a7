import type { Interval, Window } from '../../../contract/interval.ts'
import { beginSchedule, moveSchedule, nextWindows, scheduleOf } from '../../../contract/schedule.ts'

type ScheduleFields = { interval: Interval; start_at: string | null; end_at: string | null }
/** The schedule that goes on when an export is changed. */
type Before = { interval: Interval; start_at: string | null }

export type ScheduleOutlook = {
  /** The windows that come, oldest first; none after the end. */
  windows: Window[]
  /** Windows that have already ended and are exported at once, since the new interval is shorter. */
  behind: { windows: number; since: number } | null
}

/**
 * What a schedule will do once it is saved. A new one begins with the window that holds `now`, or its later start; a changed
 * one goes on where it is, so that its first window may be shorter, up to the next even boundary.
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
