import { countWindows, windowAt, type Interval } from '../../contract/interval.ts'
import { counted } from './amount.ts'
import type { Zone } from './preferences.ts'
import { shortTime, windowInWords } from './time.ts'

/**
 * Describes what a pause skips that began at `from` and ends at `until` (milliseconds); null: until somebody unpauses the export.
 * The schedule resumes with the window that contains the end.
 */
export function skippedInWords(
  interval: Interval,
  { from, until }: { from: number; until: number | null },
  zone: Zone,
  now: number,
): string {
  const first = windowAt(interval, from)
  if (until === null)
    return `Skips every window from ${shortTime(first.start, zone, now)} on, until the export is unpaused.`
  const resumed = windowAt(interval, until)
  const amount = countWindows(interval, first.start, resumed.start)
  if (amount === 0) return 'Skips no window: the pause ends within the window in which it begins.'
  const period = windowInWords({ start: first.start, end: resumed.start }, zone, now)
  return `Skips ${counted(amount, 'window')}, ${period}. The first window exported after it is ${windowInWords(resumed, zone, now)}.`
}
