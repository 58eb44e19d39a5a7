import { expect, test } from 'vitest'
import { stripEnds } from './columns.tsx'

test('a strip begins with its first window and ends with its last one, a day by its date', () => {
  const end = Date.parse('2026-11-25T00:00:00Z')
  const ends = (...given: Parameters<typeof stripEnds>) =>
    Object.values(stripEnds(...given)).map((time) => new Date(time).toISOString().slice(0, 16))
  expect(ends('hour', end, 48)).toEqual(['2026-11-23T00:00', '2026-11-25T00:00'])
  expect(ends('day', end, 48)).toEqual(['2026-10-08T00:00', '2026-11-24T23:59'])
})
