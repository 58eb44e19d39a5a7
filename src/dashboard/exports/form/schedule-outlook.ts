import { parseInstant } from '../../../contract/instant.ts'
import { countWindows, windowAt, type Interval, type Window } from '../../../contract/interval.ts'

type Schedule = { interval: Interval; start_at: string | null; end_at: string | null }
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
  schedule: Schedule,
  before: Before | null,
  now: number,
  amount: number,
): ScheduleOutlook {
  const { interval } = schedule
  const end = timeOf(schedule.end_at) ?? Infinity
  const from = beginning(schedule, before, now)
  const caughtUp = from < now ? windowAt(interval, now).start : from
  const first = Math.max(from, caughtUp)
  const windows: Window[] = []
  for (let start = first; windows.length < amount && start < end; start = windowAt(interval, start).end)
    windows.push({ start, end: windowAt(interval, start).end })
  const missed = countWindows(interval, from, Math.min(first, end))
  return { windows, behind: missed > 0 ? { windows: missed, since: from } : null }
}

function beginning({ interval, start_at }: Schedule, before: Before | null, now: number): number {
  const start = timeOf(start_at) ?? -Infinity
  const waitsForStart = before !== null && (timeOf(before.start_at) ?? -Infinity) > now
  if (!before || waitsForStart) return windowAt(interval, Math.max(now, start)).start
  const reached = windowAt(before.interval, now).start
  return start <= reached ? reached : Math.max(reached, windowAt(interval, start).start)
}

function timeOf(instant: string | null): number | null {
  return instant === null ? null : (parseInstant(instant)?.time ?? null)
}
