import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { countWindows, windowAt } from '../../contract/interval.ts'
import { nextWindow, scheduleOf, upcomingWindow } from '../../contract/exports/schedule.ts'
import { counted } from './amount.ts'
import type { Zone } from './preferences.ts'
import { shortTime, windowInWords } from './time.ts'

/**
 * Describes what a pause of an export skips that began at `from` and ends at `until` (milliseconds); null: until somebody unpauses
 * the export. The schedule resumes with the window that contains the end.
 */
export function skippedInWords(
  batchExport: Pick<BatchExport, 'interval' | 'start_at' | 'end_at'>,
  { from, until }: { from: number; until: number | null },
  zone: Zone,
  now: number,
): string {
  const { interval } = batchExport
  const schedule = scheduleOf(batchExport)
  const first = nextWindow(schedule, windowAt(interval, from).start)
  if (first === null) return 'Skips no window: the export has ended.'
  if (until === null)
    return `Skips every window from ${shortTime(first.start, zone, now)} on, until the export is unpaused.`
  const resumed = upcomingWindow(schedule, until)
  const end = (resumed ?? windowAt(interval, schedule.endAt)).start
  const amount = countWindows(interval, first.start, end)
  if (amount === 0)
    return `Skips no window: the pause ends ${first.start > until ? 'before the export starts' : 'within the window in which it begins'}.`
  const period = windowInWords({ start: first.start, end }, zone, now)
  const next =
    resumed === null
      ? 'The export ends before the pause does.'
      : `The first window exported after it is ${windowInWords(resumed, zone, now)}.`
  return `Skips ${counted(amount, 'window')}, ${period}. ${next}`
}
