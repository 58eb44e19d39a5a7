import { z } from 'zod'

export const intervals = [
  'hour',
  'day',
  'week',
  'every 5 minutes',
  'every 10 minutes',
  'every 15 minutes',
  'every 20 minutes',
  'every 30 minutes',
] as const

export const Interval = z.enum(intervals)
export type Interval = z.infer<typeof Interval>

/** A data interval, half open: `start` ≤ t < `end`, milliseconds since the epoch. */
export type Window = { start: number; end: number }

const minute = 60_000
const day = 24 * 60 * minute
/** The epoch was a Thursday; weeks start on Monday. */
const weekOffset = 4 * day

/** Length of one window in milliseconds. */
export function intervalLength(interval: Interval): number {
  switch (interval) {
    case 'hour':
      return 60 * minute
    case 'day':
      return day
    case 'week':
      return 7 * day
    case 'every 5 minutes':
      return 5 * minute
    case 'every 10 minutes':
      return 10 * minute
    case 'every 15 minutes':
      return 15 * minute
    case 'every 20 minutes':
      return 20 * minute
    case 'every 30 minutes':
      return 30 * minute
  }
}

/** The window that holds `time`, aligned to the epoch in UTC (weeks to Monday 00:00). */
export function windowAt(interval: Interval, time: number): Window {
  const length = intervalLength(interval)
  const offset = interval === 'week' ? weekOffset : 0
  const start = Math.floor((time - offset) / length) * length + offset
  return { start, end: start + length }
}

export function nextWindow(interval: Interval, window: Window): Window {
  return { start: window.end, end: window.end + intervalLength(interval) }
}

/** How many windows [start, end) touches. */
export function countWindows(interval: Interval, start: number, end: number): number {
  if (end <= start) return 0
  const first = windowAt(interval, start).start
  return Math.ceil((end - first) / intervalLength(interval))
}

/** Every whole window that [start, end) touches, oldest first. */
export function windowsBetween(interval: Interval, start: number, end: number): Window[] {
  const length = intervalLength(interval)
  const first = windowAt(interval, start).start
  return Array.from({ length: countWindows(interval, start, end) }, (_, index) => ({
    start: first + index * length,
    end: first + (index + 1) * length,
  }))
}

/** The windows of [start, end) that no start in `covered` answers for, oldest first. */
export function missingWindows(
  interval: Interval,
  start: number,
  end: number,
  covered: ReadonlySet<number>,
): Window[] {
  return windowsBetween(interval, start, end).filter((window) => !covered.has(window.start))
}
