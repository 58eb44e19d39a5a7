import { intervalLength, windowAt, type Interval, type Window } from '../../contract/interval.ts'
import { parseInstant } from '../../contract/instant.ts'

/** `every hour`, `every 5 minutes` */
export function everyInterval(interval: Interval): string {
  return interval.startsWith('every') ? interval : `every ${interval}`
}

/** `hourly`, `5 min` */
export function shortInterval(interval: Interval): string {
  switch (interval) {
    case 'hour':
      return 'hourly'
    case 'day':
      return 'daily'
    case 'week':
      return 'weekly'
    default:
      return `${intervalLength(interval) / 60_000} min`
  }
}

type Schedule = { interval: Interval; start_at: string | null; end_at: string | null }

/**
 * The next `amount` windows that a schedule will export, oldest first: from the one that holds `now` or its later
 * start, up to its end.
 */
export function comingWindows(schedule: Schedule, now: number, amount: number): Window[] {
  const start = schedule.start_at === null ? null : parseInstant(schedule.start_at)
  const end = schedule.end_at === null ? null : parseInstant(schedule.end_at)
  const length = intervalLength(schedule.interval)
  const first = windowAt(schedule.interval, Math.max(now, start?.time ?? now))
  return Array.from({ length: amount }, (_, index) => ({
    start: first.start + index * length,
    end: first.end + index * length,
  })).filter((window) => end === null || window.start < end.time)
}
