import { windowAt, type Interval, type Window } from './interval.ts'

/**
 * When an export runs by itself. Bounds in milliseconds since the epoch; -Infinity and Infinity stand for no bound.
 * How far the schedule has got is a cursor: every window that ends by the cursor has its run, or was skipped.
 */
export type Schedule = { interval: Interval; startAt: number; endAt: number }

type ScheduleFields = { interval: Interval; start_at: Date | string | null; end_at: Date | string | null }

/** The schedule of an export as the API or the database describes it. */
export function scheduleOf({ interval, start_at, end_at }: ScheduleFields): Schedule {
  return {
    interval,
    startAt: start_at === null ? -Infinity : new Date(start_at).getTime(),
    endAt: end_at === null ? Infinity : new Date(end_at).getTime(),
  }
}

/** The cursor of a new schedule: the start of the window that holds `now`, or the schedule's later start. */
export function beginSchedule({ interval, startAt }: Schedule, now: number): number {
  return windowAt(interval, Math.max(now, startAt)).start
}

/**
 * The cursor after the interval or the start has changed. Exported time stays behind the cursor: the next window begins
 * exactly there, though it may be shorter, up to the next even boundary.
 */
export function moveSchedule(cursor: number, schedule: Schedule, now: number): number {
  // Nothing has been exported beyond now: a cursor there only waits for a start.
  if (cursor > now) return beginSchedule(schedule, now)
  return Math.max(cursor, windowAt(schedule.interval, schedule.startAt).start)
}

/**
 * The next window that gets a run once the schedule has reached `cursor`; null after the last one. A window that ends after
 * the schedule's end gets none. The window is cut where the cursor stands inside it.
 */
export function nextWindow({ interval, startAt, endAt }: Schedule, cursor: number): Window | null {
  const start = Math.max(cursor, windowAt(interval, startAt).start)
  const { end } = windowAt(interval, start)
  return end > endAt ? null : { start, end }
}

/** The next window that has not ended at `now`; null after the last one. Earlier ones that wait for their run are left out. */
export function upcomingWindow(schedule: Schedule, now: number, cursor = -Infinity): Window | null {
  return nextWindow(schedule, Math.max(cursor, windowAt(schedule.interval, now).start))
}

/** The next windows after `cursor` that have ended at `now`, oldest first, `countMax` at most. */
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
