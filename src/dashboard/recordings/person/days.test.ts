import { expect, test } from 'vitest'
import type { PersonVisit } from '../../../contract/recordings/person.ts'
import { boundsOfDay, calendarOf, drawnVisits, laterDay } from './days.ts'

function visit(start_time: string, values: Partial<PersonVisit> = {}): PersonVisit {
  return { start_time, outcome: 'left', console_error_count: 0, ...values }
}
const now = Date.parse('2026-03-04T10:00:00Z')

test('a calendar ends today and contains each visit on its day, oldest first', () => {
  const visits = [visit('2026-03-04T09:00:00Z'), visit('2026-03-02T23:59:59Z'), visit('2026-03-02T00:00:00Z')]
  const days = calendarOf(visits, 'utc', now, 28)
  expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([28, '2026-02-05', '2026-03-04'])
  expect(days.filter((day) => day.visits.length > 0)).toEqual([
    { date: '2026-03-02', visits: [visits[2], visits[1]] },
    { date: '2026-03-04', visits: [visits[0]] },
  ])
})

test('a calendar begins with the first visit, at most a year ago', () => {
  expect(calendarOf([visit('2026-01-01T00:00:00Z')], 'utc', now, 28)[0]?.date).toBe('2026-01-01')
  expect(calendarOf([visit('2020-01-01T00:00:00Z')], 'utc', now, 28)).toHaveLength(366)
})

test('the bounds of a day exclude the next day', () => {
  expect(boundsOfDay('2026-02-28', 'utc')).toEqual({
    date_from: '2026-02-28T00:00:00Z',
    date_to: '2026-03-01T00:00:00Z',
  })
  expect(laterDay('2026-12-31', 1)).toBe('2027-01-01')
})

test('a crowded day draws visits with errors first', () => {
  const visits = [
    visit('2026-03-04T01:00:00Z'),
    visit('2026-03-04T02:00:00Z', { outcome: 'completed' }),
    visit('2026-03-04T03:00:00Z', { outcome: 'completed', console_error_count: 1 }),
    visit('2026-03-04T04:00:00Z', { outcome: 'error' }),
  ]
  expect(drawnVisits(visits, 4)).toEqual(['left', 'completed', 'failed', 'failed'])
  expect(drawnVisits(visits, 3)).toEqual(['failed', 'failed', 'completed'])
})
