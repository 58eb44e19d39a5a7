import { intervalLength, type Interval } from '../../../contract/interval.ts'
import type { CoveredWindow } from './window-selection.ts'

const day = 24 * 60 * 60_000

/** Returns how many windows are shown at least, even of a younger export: two days, or enough for a line of the calendar. */
function windowsMin(interval: Interval): number {
  switch (interval) {
    case 'week':
      return 13
    case 'day':
      return 7
    default:
      return (2 * day) / intervalLength(interval)
  }
}

/** Returns the windows since an export's first one, and whether these are all that it has had so far. */
export function lifetimeWindows(
  interval: Interval,
  windows: readonly CoveredWindow[],
): { shown: readonly CoveredWindow[]; isWhole: boolean } {
  const first = windows.findIndex(({ state }) => state !== 'before')
  const from = first === -1 ? windows.length : first
  return {
    shown: windows.slice(Math.max(0, Math.min(from, windows.length - windowsMin(interval)))),
    isWhole: from > 0,
  }
}
