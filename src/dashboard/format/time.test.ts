import { expect, test } from 'vitest'
import {
  briefTime,
  duration,
  exactTime,
  fieldTime,
  dayStart,
  midnights,
  readFieldTime,
  relativeTime,
  shortTime,
  windowInWords,
} from './time.ts'

// A zone with daylight saving time, on every machine.
process.env['TZ'] = 'Europe/Berlin'

const at = (iso: string) => Date.parse(iso)
const now = at('2026-11-21T08:20:00Z')

test.each([
  [2_000, 'in a moment'],
  [-2_000, 'just now'],
  [41_000, 'in 41 s'],
  [-12 * 60_000, '12 min ago'],
  [3 * 3_600_000, 'in 3 h'],
  [-41 * 86_400_000, '41 d ago'],
])('formats %d ms from now as %s', (distance, words) => {
  expect(relativeTime(now + distance, now)).toBe(words)
})

test.each([
  [850, '850 ms'],
  [3_210, '3.2 s'],
  [41_000, '41 s'],
  [184_000, '3 min 4 s'],
  [7_500_000, '2 h 5 min'],
])('formats a duration of %d ms as %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

test('an exact time names its zone', () => {
  expect(exactTime(now, 'utc')).toBe('Sat, 21 Nov 2026, 08:20:00 UTC')
  expect(exactTime(now, 'local')).toMatch(/09:20:00 (CET|GMT\+1)$/)
})

test('a short time includes the year only if it differs from the current one', () => {
  expect(shortTime(now, 'utc', now)).toBe('Sat 21 Nov, 08:20')
  expect(shortTime(at('2025-11-21T08:20:00Z'), 'utc', now)).toBe('Fri 21 Nov 2025, 08:20')
})

test('a brief time is the time of day for today, and the date otherwise', () => {
  expect(briefTime(at('2026-11-21T07:00:00Z'), 'local', now)).toBe('08:00')
  expect(briefTime(at('2026-11-16T00:00:00Z'), 'utc', now)).toBe('16 Nov')
  expect(briefTime(at('2025-11-16T00:00:00Z'), 'utc', now)).toBe('16 Nov 2025')
})

test('a window shows a shared day once, and whole days without times', () => {
  const words = (start: string, end: string) => windowInWords({ start: at(start), end: at(end) }, 'utc', now)
  expect(words('2026-11-21T07:00:00Z', '2026-11-21T08:00:00Z')).toBe('Sat 21 Nov, 07:00 – 08:00')
  expect(words('2026-11-20T23:00:00Z', '2026-11-21T00:00:00Z')).toBe('Fri 20 Nov, 23:00 – 00:00')
  expect(words('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z')).toBe('Fri 20 Nov')
  expect(words('2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z')).toBe('Mon 16 Nov – Sun 22 Nov')
  expect(words('2026-11-20T12:00:00Z', '2026-11-21T08:00:00Z')).toBe('Fri 20 Nov, 12:00 – Sat 21 Nov, 08:00')
})

test('UTC days in another zone name their common month and time once', () => {
  const words = (start: string, end: string) =>
    windowInWords({ start: at(start), end: at(end) }, 'local', now)
  expect(words('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z')).toBe('Fri 20 – Sat 21 Nov, 01:00')
  expect(words('2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z')).toBe('Mon 16 – Mon 23 Nov, 01:00')
  expect(words('2026-10-31T00:00:00Z', '2026-11-01T00:00:00Z')).toBe('Sat 31 Oct – Sun 1 Nov, 01:00')
  expect(words('2025-11-20T00:00:00Z', '2025-11-21T00:00:00Z')).toBe('Thu 20 – Fri 21 Nov 2025, 01:00')
  // The clocks change.
  expect(words('2026-10-25T00:00:00Z', '2026-10-26T00:00:00Z')).toBe('Sun 25 Oct, 02:00 – Mon 26 Oct, 01:00')
  expect(words('2026-11-20T12:00:00Z', '2026-11-21T12:00:00Z')).toBe('Fri 20 Nov, 13:00 – Sat 21 Nov, 13:00')
})

test('a time field keeps its moment in both zones, before and after a clock change', () => {
  for (const moment of ['2026-10-24T22:30:00Z', '2026-10-25T12:00:00Z', '2026-07-01T00:00:00Z']) {
    for (const zone of ['utc', 'local'] as const)
      expect(readFieldTime(fieldTime(at(moment), zone), zone)).toBe(moment)
  }
  expect(fieldTime(at('2026-07-01T00:00:00Z'), 'local')).toBe('2026-07-01T02:00')
})

test('returns null for an empty or incomplete time field', () => {
  expect(readFieldTime('', 'utc')).toBeNull()
  expect(readFieldTime('2026-13', 'local')).toBeNull()
})

test('a day starts at midnight of the zone', () => {
  const time = at('2026-10-25T22:30:00Z')
  expect(dayStart(time, 'utc')).toBe(at('2026-10-25T00:00:00Z'))
  // After the night in which the clocks change.
  expect(dayStart(time, 'local')).toBe(at('2026-10-24T22:00:00Z'))
})

test('names the midnights of a period in the zone, also across a clock change', () => {
  const period = { start: at('2026-10-24T21:00:00Z'), end: at('2026-10-26T22:00:00Z') }
  expect(midnights(period, 'utc')).toEqual([
    { time: at('2026-10-25T00:00:00Z'), name: 'Sun 25' },
    { time: at('2026-10-26T00:00:00Z'), name: 'Mon 26' },
  ])
  expect(midnights(period, 'local')).toEqual([
    { time: at('2026-10-24T22:00:00Z'), name: 'Sun 25' },
    { time: at('2026-10-25T23:00:00Z'), name: 'Mon 26' },
  ])
  expect(
    midnights({ start: at('2026-10-25T00:00:00Z'), end: at('2026-10-25T03:00:00Z') }, 'utc'),
  ).toHaveLength(1)
})
