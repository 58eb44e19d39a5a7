import { coverageWindowsMax } from '../../../contract/runs/window-state.ts'
import {
  endedPeriod,
  intervalLength,
  touchedPeriod,
  windowAt,
  type Interval,
  type Window,
} from '../../../contract/interval.ts'

export const periodNames = ['2d', '7d', '30d', '90d', '1y', '5y'] as const
export type PeriodName = (typeof periodNames)[number]

const day = 24 * 60 * 60_000
const lengths: Record<PeriodName, number> = {
  '2d': 2 * day,
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
  '1y': 365 * day,
  '5y': 1826 * day,
}

/** Fewest windows that make a useful grid. */
const windowsMin = 7

/** Returns the periods that make a readable grid of an interval's windows. */
export function periodsFor(interval: Interval): PeriodName[] {
  return periodNames.filter((name) => {
    const windows = lengths[name] / intervalLength(interval)
    return windows >= windowsMin && windows <= coverageWindowsMax
  })
}

/** Returns the longest period whose windows fit on the page; within it, the grid shows an export's lifetime. */
export function lifetimePeriod(interval: Interval): PeriodName {
  switch (interval) {
    case 'week':
      return '5y'
    case 'day':
      return '1y'
    case 'hour':
      return '30d'
    case 'every 5 minutes':
    case 'every 10 minutes':
      return '2d'
    default:
      return '7d'
  }
}

/** Returns the bounds of a period in whole windows, up to the end of the window that contains `now`. */
export function periodBounds(interval: Interval, name: PeriodName, now: number): Window {
  const { end } = windowAt(interval, now)
  return { start: windowAt(interval, end - lengths[name]).start, end }
}

/** Returns the bounds of a custom period in whole windows, limited to the newest `coverageWindowsMax`. */
export function customBounds(interval: Interval, from: number, to: number): Window {
  const [earlier, later] = [Math.min(from, to), Math.max(from, to)]
  const { start, end } = touchedPeriod(interval, earlier, Math.max(later, earlier + 1))
  return { start: Math.max(start, endedPeriod(interval, end, coverageWindowsMax).start), end }
}

/** Returns the period from which an export's facts are derived: long enough to compare a day with a week before. */
export function factsPeriod(interval: Interval): PeriodName {
  switch (interval) {
    case 'week':
      return '1y'
    case 'day':
      return '90d'
    default:
      return '30d'
  }
}

/** Returns a period's label. */
export function periodInWords(name: PeriodName): string {
  switch (name) {
    case '2d':
      return 'Last 2 days'
    case '7d':
      return '7 days'
    case '30d':
      return '30 days'
    case '90d':
      return '90 days'
    case '1y':
      return 'Year'
    case '5y':
      return '5 years'
  }
}
