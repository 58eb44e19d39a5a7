import { expect, test } from 'vitest'
import { isTimeZone, startOfDay } from './time-zone.ts'

const day = (now: string, days: number, zone: string) =>
  new Date(startOfDay(Date.parse(now), days, zone)).toISOString()

test('a day starts at midnight in its zone', () => {
  expect(day('2026-03-04T10:30:00Z', -1, 'UTC')).toBe('2026-03-03T00:00:00.000Z')
  expect(day('2026-03-04T23:30:00Z', 0, 'Europe/Berlin')).toBe('2026-03-04T23:00:00.000Z')
  expect(day('2026-03-04T02:00:00Z', -1, 'America/New_York')).toBe('2026-03-02T05:00:00.000Z')
})

test('a day starts at midnight on both sides of a change of the clocks', () => {
  // Berlin changes to summer time on 29 March 2026.
  expect(day('2026-03-30T10:00:00Z', -1, 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
  expect(day('2026-03-30T10:00:00Z', 0, 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
})

test('knows the names of time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false])
})
