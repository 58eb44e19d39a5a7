import { windowAt, type Interval } from '../../../contract/interval.ts'

type Schedule = { interval: Interval; start_at: Date | null }

/** Where an export's schedule begins: at the window that holds `now`, or its later start. */
export function beginSchedule(schedule: Schedule, now: number): Date {
  const from = Math.max(now, schedule.start_at?.getTime() ?? -Infinity)
  return new Date(windowAt(schedule.interval, from).start)
}

/**
 * Where the schedule goes on after a change of interval or start. What has been exported stays behind the cursor: the next
 * window begins exactly there, though it may be a shorter one up to the next even boundary.
 */
export function moveSchedule(scheduledUntil: Date, schedule: Schedule, now: number): Date {
  const begin = beginSchedule(schedule, now)
  // Nothing has been exported beyond now: a cursor there only waits for a start.
  if (scheduledUntil.getTime() > now) return begin
  const start = schedule.start_at?.getTime() ?? -Infinity
  if (start <= scheduledUntil.getTime()) return scheduledUntil
  return new Date(Math.max(scheduledUntil.getTime(), windowAt(schedule.interval, start).start))
}
