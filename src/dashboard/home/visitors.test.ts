import { expect, test } from 'vitest'
import { trendOf } from './visitors.tsx'

test('an error is new if first seen in its sparkline, and growing if today has more than twice the daily average before', () => {
  const days = (...counts: number[]) =>
    Object.fromEntries(counts.map((amount, index) => [`2026-03-0${index + 1}`, amount]))
  const trend = (today: number, oldest = '2026-02-01T00:00:00Z') =>
    trendOf({ sparkline: days(3, 0, 3, 0, 3, 0, today), oldest })
  expect(trend(4)).toBe('Growing')
  expect(trend(3)).toBeNull()
  expect(trend(0, '2026-03-01T00:00:00Z')).toBe('New')
  expect(trend(0, '2026-02-28T23:59:59Z')).toBeNull()
})
