import { coverageWindowsMax } from '../../../contract/runs/window-state.ts'
import {
  endedPeriod,
  intervalLength,
  touchedPeriod,
  windowAt,
  type Interval,
  type Window,
} from '../../../contract/interval.ts'
import type { CoveredWindow } from './window-selection.ts'

const day = 24 * 60 * 60_000
const periods = {
  '2d': { length: 2 * day, label: 'Last 2 days' },
  '7d': { length: 7 * day, label: '7 days' },
  '30d': { length: 30 * day, label: '30 days' },
  '90d': { length: 90 * day, label: '90 days' },
  '1y': { length: 365 * day, label: 'Year' },
  '5y': { length: 1826 * day, label: '5 years' },
}
export type PeriodName = keyof typeof periods
export const periodNames = Object.keys(periods) as PeriodName[]

/** Fewest windows that make a useful grid. */
const windowsMin = 7

/** Returns the periods that make a readable grid of an interval's windows. */
export function periodsFor(interval: Interval): PeriodName[] {
  return periodNames.filter((name) => {
    const windows = periods[name].length / intervalLength(interval)
    return windows >= windowsMin && windows <= coverageWindowsMax
  })
}

/** Returns the longest period whose windows fit on the page; within it, the grid shows an export's lifetime. */
export function lifetimePeriod(interval: Interval): PeriodName {
  return lifetimePeriods[interval] ?? '7d'
}

const lifetimePeriods: Partial<Record<Interval, PeriodName>> = {
  week: '5y',
  day: '1y',
  hour: '30d',
  'every 5 minutes': '2d',
  'every 10 minutes': '2d',
}

/** Returns the bounds of a period in whole windows, up to the end of the window that contains `now`. */
export function periodBounds(interval: Interval, name: PeriodName, now: number): Window {
  const { end } = windowAt(interval, now)
  return { start: windowAt(interval, end - periods[name].length).start, end }
}

/** Returns the bounds of a custom period in whole windows, limited to the newest `coverageWindowsMax`. */
export function customBounds(interval: Interval, from: number, to: number): Window {
  const [earlier, later] = [Math.min(from, to), Math.max(from, to)]
  const { start, end } = touchedPeriod(interval, earlier, Math.max(later, earlier + 1))
  return { start: Math.max(start, endedPeriod(interval, end, coverageWindowsMax).start), end }
}

/** Returns the period from which an export's facts are derived: long enough to compare a day with a week before. */
export function factsPeriod(interval: Interval): PeriodName {
  if (interval === 'week') return '1y'
  return interval === 'day' ? '90d' : '30d'
}

/** Returns a period's label. */
export function periodInWords(name: PeriodName): string {
  return periods[name].label
}

/**
 * Returns the windows since an export's first one, preceded by earlier ones if the export is young, and whether these are
 * all that the export has had so far.
 */
export function lifetimeWindows(interval: Interval, windows: readonly CoveredWindow[]) {
  // Two days, or enough for a line of the calendar.
  const shownMin = interval === 'week' ? 13 : interval === 'day' ? 7 : (2 * day) / intervalLength(interval)
  const first = windows.findIndex(({ state }) => state !== 'before')
  const from = first === -1 ? windows.length : first
  return {
    shown: windows.slice(Math.max(0, Math.min(from, windows.length - shownMin))),
    isWhole: from > 0,
  }
}
