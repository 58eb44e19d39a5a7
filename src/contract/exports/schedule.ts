import { parseInstant } from '../instant.ts'
import { windowAt, type Interval, type Window } from '../interval.ts'

/**
 * When an export runs automatically. Bounds are milliseconds since the epoch; -Infinity and Infinity mean no bound.
 * A cursor records the schedule's progress: every window that ends at or before the cursor has its run, or was skipped.
 */
export type Schedule = { interval: Interval; startAt: number; endAt: number }

type ScheduleFields = { interval: Interval; start_at: Date | string | null; end_at: Date | string | null }

/** Returns the schedule of an export from the API or the database. */
export function scheduleOf({ interval, start_at, end_at }: ScheduleFields): Schedule {
  return {
    interval,
    startAt: timeOf(start_at) ?? -Infinity,
    endAt: timeOf(end_at) ?? Infinity,
  }
}

/** Returns a bound in milliseconds; null for no bound, or for a text that the API does not accept. */
function timeOf(bound: Date | string | null): number | null {
  return typeof bound === 'string' ? (parseInstant(bound)?.time ?? null) : (bound?.getTime() ?? null)
}

/** Returns a new schedule's cursor: the start of the window that contains `now` or the schedule's start, if that is later. */
export function beginSchedule({ interval, startAt }: Schedule, now: number): number {
  return windowAt(interval, Math.max(now, startAt)).start
}

/**
 * Returns the cursor after the interval or the start has changed. The cursor never moves back over exported time: the next
 * window starts at the cursor and ends at the next regular boundary, so it may be shorter than the interval.
 */
export function moveSchedule(cursor: number, schedule: Schedule, now: number): number {
  // Nothing has been exported beyond now: a later cursor merely waits for the schedule's start.
  if (cursor > now) return beginSchedule(schedule, now)
  return Math.max(cursor, windowAt(schedule.interval, schedule.startAt).start)
}

/**
 * Returns the first window after `cursor` that gets a run; null after the last one. A window that ends after the schedule's
 * end gets no run. If the cursor is inside a window, that window starts at the cursor.
 */
export function nextWindow({ interval, startAt, endAt }: Schedule, cursor: number): Window | null {
  const start = Math.max(cursor, windowAt(interval, startAt).start)
  const { end } = windowAt(interval, start)
  return end > endAt ? null : { start, end }
}

/** Returns the next window that has not ended at `now`, skipping ended ones that still need a run; null after the last. */
export function upcomingWindow(schedule: Schedule, now: number, cursor = -Infinity): Window | null {
  return nextWindow(schedule, Math.max(cursor, windowAt(schedule.interval, now).start))
}

/** Returns at most `countMax` windows after `cursor` that have ended at `now`, oldest first. */
export function nextWindows(schedule: Schedule, cursor: number, now: number, countMax: number): Window[] {
  const windows: Window[] = []
  for (let from = cursor; windows.length < countMax;) {
    const window = nextWindow(schedule, from)
    if (!window || window.end > now) break
    windows.push(window)
    from = window.end
  }
  return windows
}
