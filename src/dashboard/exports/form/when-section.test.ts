import { expect, test } from 'vitest'
import { scheduleOutlook } from './when-section.tsx'

const now = Date.parse('2026-11-21T09:34:00Z')
const always = { start_at: null, end_at: null }

function outlook(
  schedule: Parameters<typeof scheduleOutlook>[0],
  before: Parameters<typeof scheduleOutlook>[1] = null,
) {
  const { windows, behind } = scheduleOutlook(schedule, before, now, 2)
  const times = windows.map(({ start, end }) =>
    [start, end].map((time) => new Date(time).toISOString().slice(5, 16)).join(' – '),
  )
  return { times, behind }
}

test('starts a new export with the current window', () => {
  expect(outlook({ ...always, interval: 'hour' })).toEqual({
    times: ['11-21T09:00 – 11-21T10:00', '11-21T10:00 – 11-21T11:00'],
    behind: null,
  })
})

test('waits for a later start, and stops at the end', () => {
  const schedule = {
    interval: 'hour',
    start_at: '2026-11-22T08:30:00Z',
    end_at: '2026-11-22T09:00:00Z',
  } as const
  expect(outlook(schedule).times).toEqual(['11-22T08:00 – 11-22T09:00'])
  expect(outlook({ ...schedule, end_at: '2026-11-21T08:00:00Z' }).times).toEqual([])
  expect(outlook({ ...schedule, end_at: '2026-11-22T08:59:00Z' }).times).toEqual([])
})

test('from hours to days, the first window is the rest of the day', () => {
  expect(outlook({ ...always, interval: 'day' }, { interval: 'hour', start_at: null })).toEqual({
    times: ['11-21T09:00 – 11-22T00:00', '11-22T00:00 – 11-23T00:00'],
    behind: null,
  })
})

test('from days to hours, the hours of today that have ended are exported at once', () => {
  expect(outlook({ ...always, interval: 'hour' }, { interval: 'day', start_at: null })).toEqual({
    times: ['11-21T09:00 – 11-21T10:00', '11-21T10:00 – 11-21T11:00'],
    behind: { windows: 9, since: Date.parse('2026-11-21T00:00:00Z') },
  })
})

test('an export that has not reached its start begins again', () => {
  const before = { interval: 'day', start_at: '2026-12-01T00:00:00Z' } as const
  expect(outlook({ ...always, interval: 'hour' }, before).times[0]).toBe('11-21T09:00 – 11-21T10:00')
})
