import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countWindows,
  endedPeriod,
  intervalLength,
  intervals,
  touchedPeriod,
  windowAt,
  windowsBetween,
} from './interval.ts'

const anyInterval = fc.constantFrom(...intervals)
const anyTime = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) })

describe('windows', () => {
  test('hours start on the hour, days and weeks in UTC, weeks on Monday', () => {
    const saturday = Date.UTC(2026, 10, 21, 14, 37)
    expect(windowAt('hour', saturday).start).toBe(Date.UTC(2026, 10, 21, 14))
    expect(windowAt('day', saturday).start).toBe(Date.UTC(2026, 10, 21))
    expect(windowAt('week', saturday).start).toBe(Date.UTC(2026, 10, 16))
    expect(windowAt('every 20 minutes', saturday)).toEqual({
      start: Date.UTC(2026, 10, 21, 14, 20),
      end: Date.UTC(2026, 10, 21, 14, 40),
    })
  })

  test('the window at a time contains that time and has the length of its interval', () => {
    fc.assert(
      fc.property(anyInterval, anyTime, (interval, time) => {
        const window = windowAt(interval, time)
        expect(window.start).toBeLessThanOrEqual(time)
        expect(window.end).toBeGreaterThan(time)
        expect(window.end - window.start).toBe(intervalLength(interval))
        expect(windowAt(interval, window.end).start).toBe(window.end)
      }),
    )
  })

  test('the windows of a range cover exactly that range, without gaps or overlaps', () => {
    fc.assert(
      fc.property(
        anyInterval,
        anyTime,
        fc.double({ min: 0, max: 40, noNaN: true }),
        (interval, start, length) => {
          const end = start + Math.round(length * intervalLength(interval))
          const windows = windowsBetween(interval, start, end)
          expect(windows).toHaveLength(countWindows(interval, start, end))
          if (end === start) return
          expect(touchedPeriod(interval, start, end)).toEqual({
            start: windows[0]?.start,
            end: windows.at(-1)?.end,
          })
          expect(windows[0]?.start).toBe(windowAt(interval, start).start)
          expect(windows.at(-1)).toEqual(windowAt(interval, end - 1))
          for (const [index, window] of windows.entries())
            if (index > 0) expect(window.start).toBe(windows[index - 1]?.end)
        },
      ),
    )
  })

  test('an ended period has the requested number of windows and ends with the most recently ended one', () => {
    fc.assert(
      fc.property(anyInterval, anyTime, fc.integer({ min: 1, max: 50 }), (interval, time, count) => {
        const { start, end } = endedPeriod(interval, time, count)
        expect(countWindows(interval, start, end)).toBe(count)
        expect(end).toBe(windowAt(interval, time).start)
      }),
    )
  })
})
