import { formatInstant, formatOffsetInstant, parseInstant } from '../instant.ts'
import {
  countWindows,
  intervalLength,
  touchedPeriod,
  windowAt,
  type Interval,
  type Window,
} from '../interval.ts'

export const backfillRunsMax = 10_000

export type BackfillRange = { ok: true; range: Window; runs: number } | { ok: false; detail: string }

/**
 * Reads a backfill's bounds and widens them to the whole windows that [start_at, end_at) touches. `end_at` may be at most
 * one window past `now`. The API prescribes the error texts and the order of the checks.
 */
export function backfillRange(
  input: { start_at?: unknown; end_at?: unknown },
  interval: Interval,
  now: number,
): BackfillRange {
  const { start_at: startAt, end_at: endAt } = input
  if (isAbsent(startAt) || isAbsent(endAt)) return reject("Both 'start_at' and 'end_at' must be specified")
  const start = readBound(startAt)
  if (typeof start === 'string') return reject(start)
  const end = readBound(endAt)
  if (typeof end === 'string') return reject(end)
  if (start >= end) return reject("The initial backfill datetime 'start_at' happens after 'end_at'")
  if (end > now + intervalLength(interval))
    return reject(
      `The provided 'end_at' (${formatOffsetInstant(end)}) is too far into the future. Cannot backfill beyond 1 batch period into the future.`,
    )
  const runs = countWindows(interval, start, end)
  if (runs > backfillRunsMax)
    return reject(
      `This backfill would need ${runs} runs, more than the ${backfillRunsMax} allowed: split it into shorter ranges.`,
    )
  return { ok: true, range: touchedPeriod(interval, start, end), runs }
}

/** Like `backfillRange`, without the windows that have not ended at `now`; times in milliseconds. */
export function endedBackfillRange(
  { start, end }: { start: number; end: number },
  interval: Interval,
  now: number,
): BackfillRange {
  const lastEnd = Math.min(end, windowAt(interval, now).start)
  if (lastEnd <= start) return reject('no window in this period has ended')
  return backfillRange({ start_at: formatInstant(start), end_at: formatInstant(lastEnd) }, interval, now)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function readBound(value: unknown): number | string {
  const parsed = typeof value === 'string' ? parseInstant(value) : null
  if (!parsed) return `Input ${describe(value)} is not a valid ISO formatted datetime.`
  return parsed.naive ? `Input ${describe(value)} is naive.` : parsed.time
}

function describe(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)
}

function reject(detail: string): BackfillRange {
  return { ok: false, detail }
}
