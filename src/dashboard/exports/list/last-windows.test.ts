import { expect, test } from 'vitest'
import { stripTime } from './last-windows.tsx'

test('the ends of a strip are named by its first and last window; a day by its date', () => {
  const end = Date.parse('2026-11-25T00:00:00Z')
  const ends = (interval: 'hour' | 'day') =>
    [48, 0].map((amount) => new Date(stripTime(interval, end, amount)).toISOString().slice(0, 16))
  expect(ends('hour')).toEqual(['2026-11-23T00:00', '2026-11-25T00:00'])
  expect(ends('day')).toEqual(['2026-10-08T00:00', '2026-11-24T23:59'])
})
