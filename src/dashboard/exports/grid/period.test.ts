import { expect, test } from 'vitest'
import { coverageWindowsMax } from '../../../contract/runs/window-state.ts'
import { countWindows, intervals, windowAt } from '../../../contract/interval.ts'
import { customBounds, factsPeriod, periodBounds, periodsFor, lifetimePeriod } from './period.ts'

const now = Date.parse('2026-11-21T08:20:00Z')

test.each(intervals)(
  'every period offered for the interval %s fits into one coverage request',
  (interval) => {
    expect(periodsFor(interval)).toContain(lifetimePeriod(interval))
    for (const name of [...periodsFor(interval), factsPeriod(interval)]) {
      const { start, end } = periodBounds(interval, name, now)
      expect(countWindows(interval, start, end)).toBeLessThanOrEqual(coverageWindowsMax)
      expect(end).toBe(windowAt(interval, now).end)
    }
  },
)

test('a custom period consists of whole windows, whatever the order of its ends', () => {
  const [from, to] = [Date.parse('2026-11-01T10:30Z'), Date.parse('2026-11-02T10:30Z')]
  const bounds = { start: Date.parse('2026-11-01T10:00Z'), end: Date.parse('2026-11-02T11:00Z') }
  expect(customBounds('hour', from, to)).toEqual(bounds)
  expect(customBounds('hour', to, from)).toEqual(bounds)
})

test('a custom period that is too long keeps its newest windows', () => {
  const { start, end } = customBounds('every 5 minutes', Date.parse('2020-01-01T00:00Z'), now)
  expect(countWindows('every 5 minutes', start, end)).toBe(coverageWindowsMax)
  expect(end).toBe(now)
})
