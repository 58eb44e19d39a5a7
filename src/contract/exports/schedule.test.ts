import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intervalLength, intervals, windowAt } from '../interval.ts'
import {
  beginSchedule,
  moveSchedule,
  nextWindow,
  nextWindows,
  scheduleOf,
  upcomingWindow,
} from './schedule.ts'

const now = Date.parse('2026-11-21T08:20:00Z')
const unbounded = { start_at: null, end_at: null }
const starts = (windows: { start: number }[]) => windows.map(({ start }) => new Date(start).toISOString())

function coming(fields: Parameters<typeof scheduleOf>[0], amount: number) {
  const schedule = scheduleOf(fields)
  return nextWindows(schedule, beginSchedule(schedule, now), Infinity, amount)
}

test('the first window of a new schedule contains the current time', () => {
  expect(starts(coming({ interval: 'hour', ...unbounded }, 3))).toEqual([
    '2026-11-21T08:00:00.000Z',
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T10:00:00.000Z',
  ])
})

test('a start in the future delays the next windows, a start in the past does not move them', () => {
  const later = { interval: 'day' as const, start_at: '2026-12-01T12:00:00Z', end_at: null }
  expect(starts(coming(later, 1))).toEqual(['2026-12-01T00:00:00.000Z'])
  const earlier = { ...later, start_at: '2026-01-01T00:00:00Z' }
  expect(starts(coming(earlier, 1))).toEqual(['2026-11-21T00:00:00.000Z'])
})

test('no window ends after the end of the schedule', () => {
  const schedule = { interval: 'hour' as const, start_at: null, end_at: '2026-11-21T10:00:00Z' }
  expect(coming(schedule, 3)).toHaveLength(2)
  expect(coming({ ...schedule, end_at: '2026-11-21T09:59:59Z' }, 3)).toHaveLength(1)
  expect(coming({ ...schedule, end_at: '2026-11-01T00:00:00Z' }, 3)).toEqual([])
})

test('rows and API objects describe the same schedule', () => {
  const [start, end] = ['2026-11-21T08:00:00Z', '2026-11-22T08:00:00Z']
  const schedule = { interval: 'hour', startAt: Date.parse(start), endAt: Date.parse(end) }
  expect(scheduleOf({ interval: 'hour', start_at: start, end_at: end })).toEqual(schedule)
  const row = { interval: 'hour' as const, start_at: new Date(start), end_at: new Date(end) }
  expect(scheduleOf(row)).toEqual(schedule)
})

const anyInterval = fc.constantFrom(...intervals)
const nearNow = fc.integer({ min: -20 * 86_400_000, max: 20 * 86_400_000 }).map((offset) => now + offset)

test('next windows are adjacent, only the first may be shortened, and all are within the schedule', () => {
  fc.assert(
    fc.property(anyInterval, nearNow, nearNow, nearNow, (interval, startAt, endAt, cursor) => {
      const windows = nextWindows({ interval, startAt, endAt }, cursor, now, 50)
      for (const [index, window] of windows.entries()) {
        const whole = windowAt(interval, window.start)
        expect(window.end).toBe(whole.end)
        expect(window.end).toBeLessThanOrEqual(Math.min(endAt, now))
        expect(window.end).toBeGreaterThan(startAt)
        expect(window.start).toBe(
          index === 0 ? Math.max(cursor, windowAt(interval, startAt).start) : windows[index - 1]?.end,
        )
      }
      const next = nextWindow({ interval, startAt, endAt }, windows.at(-1)?.end ?? cursor)
      expect(next === null || next.end > now || windows.length === 50).toBe(true)
    }),
  )
})

test('the upcoming window is the first window that has not ended', () => {
  fc.assert(
    fc.property(anyInterval, nearNow, nearNow, nearNow, (interval, startAt, endAt, cursor) => {
      const schedule = { interval, startAt, endAt }
      const until = Math.max(now, cursor, startAt) + 2 * intervalLength(interval)
      const windows = nextWindows(schedule, cursor, until, Infinity)
      expect(upcomingWindow(schedule, now, cursor)).toEqual(windows.find(({ end }) => end > now) ?? null)
    }),
  )
})

test('a change of the interval or start never moves the cursor back over exported time', () => {
  fc.assert(
    fc.property(anyInterval, nearNow, nearNow, (interval, startAt, cursor) => {
      const moved = moveSchedule(cursor, { interval, startAt, endAt: Infinity }, now)
      if (cursor <= now) expect(moved).toBeGreaterThanOrEqual(cursor)
      else expect(moved).toBe(beginSchedule({ interval, startAt, endAt: Infinity }, now))
      expect(moved - Math.max(now, cursor, startAt)).toBeLessThan(intervalLength(interval))
    }),
  )
})

test('ignores a bound that the API does not accept', () => {
  expect(scheduleOf({ interval: 'hour', start_at: '+275760-09-13T00:00:00Z', end_at: 'soon' })).toEqual({
    interval: 'hour',
    startAt: -Infinity,
    endAt: Infinity,
  })
})
