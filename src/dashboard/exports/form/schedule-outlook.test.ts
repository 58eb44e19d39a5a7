import { expect, test } from 'vitest'
import { scheduleOutlook } from './schedule-outlook.ts'

const now = Date.parse('2026-11-21T09:34:00Z')
const always = { start_at: null, end_at: null }

function look(
  schedule: Parameters<typeof scheduleOutlook>[0],
  before: Parameters<typeof scheduleOutlook>[1] = null,
) {
  const { windows, behind } = scheduleOutlook(schedule, before, now, 2)
  const times = windows.map(({ start, end }) =>
    [start, end].map((time) => new Date(time).toISOString().slice(5, 16)).join(' – '),
  )
  return { times, behind }
}

test('a new export begins with the window that holds this moment', () => {
  expect(look({ ...always, interval: 'hour' })).toEqual({
    times: ['11-21T09:00 – 11-21T10:00', '11-21T10:00 – 11-21T11:00'],
    behind: null,
  })
})

test('a later start is waited for, an end is the last', () => {
  const schedule = {
    interval: 'hour',
    start_at: '2026-11-22T08:30:00Z',
    end_at: '2026-11-22T09:00:00Z',
  } as const
  expect(look(schedule).times).toEqual(['11-22T08:00 – 11-22T09:00'])
  expect(look({ ...schedule, end_at: '2026-11-21T08:00:00Z' }).times).toEqual([])
  expect(look({ ...schedule, end_at: '2026-11-22T08:59:00Z' }).times).toEqual([])
})

test('from hours to days, the first window is what is left of the day', () => {
  expect(look({ ...always, interval: 'day' }, { interval: 'hour', start_at: null })).toEqual({
    times: ['11-21T09:00 – 11-22T00:00', '11-22T00:00 – 11-23T00:00'],
    behind: null,
  })
})

test('from days to hours, the hours of today that have passed are exported at once', () => {
  expect(look({ ...always, interval: 'hour' }, { interval: 'day', start_at: null })).toEqual({
    times: ['11-21T09:00 – 11-21T10:00', '11-21T10:00 – 11-21T11:00'],
    behind: { windows: 9, since: Date.parse('2026-11-21T00:00:00Z') },
  })
})

test('an export that still waited for its start begins anew', () => {
  const before = { interval: 'day', start_at: '2026-12-01T00:00:00Z' } as const
  expect(look({ ...always, interval: 'hour' }, before).times[0]).toBe('11-21T09:00 – 11-21T10:00')
})
