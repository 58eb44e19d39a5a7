import { expect, test } from 'vitest'
import { coverageWindowsMax } from '../../../contract/coverage.ts'
import { countWindows, intervals, windowAt } from '../../../contract/interval.ts'
import { customBounds, factsPeriod, periodBounds, periodsFor, usualPeriod } from './period.ts'

const now = Date.parse('2026-11-21T08:20:00Z')

test.each(intervals)('every period that is offered for the interval %s can be shown', (interval) => {
  expect(periodsFor(interval)).toContain(usualPeriod(interval))
  for (const name of [...periodsFor(interval), factsPeriod(interval)]) {
    const { start, end } = periodBounds(interval, name, now)
    expect(countWindows(interval, start, end)).toBeLessThanOrEqual(coverageWindowsMax)
    expect(end).toBe(windowAt(interval, now).end)
  }
})

test('a period of one’s own is made of whole windows, in whatever order its ends come', () => {
  const [from, to] = [Date.parse('2026-11-01T10:30Z'), Date.parse('2026-11-02T10:30Z')]
  const bounds = { start: Date.parse('2026-11-01T10:00Z'), end: Date.parse('2026-11-02T11:00Z') }
  expect(customBounds('hour', from, to)).toEqual(bounds)
  expect(customBounds('hour', to, from)).toEqual(bounds)
})

test('of a period that is too long the newest windows are shown', () => {
  const { start, end } = customBounds('every 5 minutes', Date.parse('2020-01-01T00:00Z'), now)
  expect(countWindows('every 5 minutes', start, end)).toBe(coverageWindowsMax)
  expect(end).toBe(now)
})
