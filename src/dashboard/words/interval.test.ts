import { expect, test } from 'vitest'
import { comingWindows } from './interval.ts'

const now = Date.parse('2026-11-21T08:20:00Z')
const starts = (windows: { start: number }[]) => windows.map(({ start }) => new Date(start).toISOString())

test('the coming windows begin with the one that holds this moment', () => {
  expect(starts(comingWindows({ interval: 'hour', start_at: null, end_at: null }, now, 3))).toEqual([
    '2026-11-21T08:00:00.000Z',
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T10:00:00.000Z',
  ])
})

test('a later start moves them, an earlier one does not', () => {
  const later = { interval: 'day' as const, start_at: '2026-12-01T12:00:00Z', end_at: null }
  expect(starts(comingWindows(later, now, 1))).toEqual(['2026-12-01T00:00:00.000Z'])
  const earlier = { ...later, start_at: '2026-01-01T00:00:00Z' }
  expect(starts(comingWindows(earlier, now, 1))).toEqual(['2026-11-21T00:00:00.000Z'])
})

test('there are none after the end', () => {
  const schedule = { interval: 'hour' as const, start_at: null, end_at: '2026-11-21T09:30:00Z' }
  expect(comingWindows(schedule, now, 3)).toHaveLength(2)
  expect(comingWindows({ ...schedule, end_at: '2026-11-01T00:00:00Z' }, now, 3)).toEqual([])
})
