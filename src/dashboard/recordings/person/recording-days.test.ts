import { expect, test } from 'vitest'
import type { PersonRecording } from '../../../contract/recordings/person.ts'
import { boundsOfDay, calendarOf, drawnRecordings, laterDay } from './recording-days.tsx'

function recording(start_time: string, values: Partial<PersonRecording> = {}): PersonRecording {
  return { start_time, outcome: 'left', console_error_count: 0, ...values }
}
const now = Date.parse('2026-03-04T10:00:00Z')

test('a calendar ends today and contains each recording on its day, oldest first', () => {
  const recordings = [
    recording('2026-03-04T09:00:00Z'),
    recording('2026-03-02T23:59:59Z'),
    recording('2026-03-02T00:00:00Z'),
  ]
  const days = calendarOf(recordings, 'utc', now, 28)
  expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([28, '2026-02-05', '2026-03-04'])
  expect(days.filter((day) => day.recordings.length > 0)).toEqual([
    { date: '2026-03-02', recordings: [recordings[2], recordings[1]] },
    { date: '2026-03-04', recordings: [recordings[0]] },
  ])
})

test('a calendar begins with the first recording, at most a year ago', () => {
  expect(calendarOf([recording('2026-01-01T00:00:00Z')], 'utc', now, 28)[0]?.date).toBe('2026-01-01')
  expect(calendarOf([recording('2020-01-01T00:00:00Z')], 'utc', now, 28)).toHaveLength(366)
})

test('the bounds of a day exclude the next day', () => {
  expect(boundsOfDay('2026-02-28', 'utc')).toEqual({
    date_from: '2026-02-28T00:00:00Z',
    date_to: '2026-03-01T00:00:00Z',
  })
  expect(laterDay('2026-12-31', 1)).toBe('2027-01-01')
})

test('a crowded day draws recordings with errors first', () => {
  const recordings = [
    recording('2026-03-04T01:00:00Z'),
    recording('2026-03-04T02:00:00Z', { outcome: 'completed' }),
    recording('2026-03-04T03:00:00Z', { outcome: 'completed', console_error_count: 1 }),
    recording('2026-03-04T04:00:00Z', { outcome: 'error' }),
  ]
  expect(drawnRecordings(recordings, 4)).toEqual(['left', 'completed', 'failed', 'failed'])
  expect(drawnRecordings(recordings, 3)).toEqual(['failed', 'failed', 'completed'])
})
