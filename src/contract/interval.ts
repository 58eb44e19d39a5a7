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

export type Interval = (typeof intervals)[number]

/** A half-open data interval, `start` ≤ t < `end`, in milliseconds since the epoch. */
export type Window = { start: number; end: number }

const minutes: Record<Interval, number> = {
  hour: 60,
  day: 24 * 60,
  week: 7 * 24 * 60,
  'every 5 minutes': 5,
  'every 10 minutes': 10,
  'every 15 minutes': 15,
  'every 20 minutes': 20,
  'every 30 minutes': 30,
}

/** Returns the length of one window in milliseconds. */
export function intervalLength(interval: Interval): number {
  return minutes[interval] * 60_000
}

/**
 * Returns a time (milliseconds since the epoch) at which a window starts; all others start a multiple of the length before
 * or after it. Windows are aligned to UTC; weeks start on Monday, and the first Monday after the epoch is 5 January 1970.
 */
export function windowOrigin(interval: Interval): number {
  return interval === 'week' ? 4 * intervalLength('day') : 0
}

/** Returns the window that contains `time`. */
export function windowAt(interval: Interval, time: number): Window {
  const length = intervalLength(interval)
  const origin = windowOrigin(interval)
  const start = Math.floor((time - origin) / length) * length + origin
  return { start, end: start + length }
}

/** Returns the period of all whole windows that [start, end) touches. */
export function touchedPeriod(interval: Interval, start: number, end: number): Window {
  return { start: windowAt(interval, start).start, end: windowAt(interval, end - 1).end }
}

/** Returns the period of the last `count` windows that have ended at `time`. */
export function endedPeriod(interval: Interval, time: number, count: number): Window {
  const end = windowAt(interval, time).start
  return { start: end - count * intervalLength(interval), end }
}

/** Counts the windows that [start, end) touches. */
export function countWindows(interval: Interval, start: number, end: number): number {
  if (end <= start) return 0
  const first = windowAt(interval, start).start
  return Math.ceil((end - first) / intervalLength(interval))
}

/** Returns every whole window that [start, end) touches, oldest first. */
export function windowsBetween(interval: Interval, start: number, end: number): Window[] {
  const length = intervalLength(interval)
  const first = windowAt(interval, start).start
  return Array.from({ length: countWindows(interval, start, end) }, (_, index) => ({
    start: first + index * length,
    end: first + (index + 1) * length,
  }))
}
