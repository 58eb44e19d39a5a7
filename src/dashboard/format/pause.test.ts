import { expect, test } from 'vitest'
import { skippedInWords } from './pause.ts'

const now = Date.parse('2026-03-04T10:30:00Z')
const words = (until: string | null, bounds: { start_at?: string; end_at?: string } = {}) =>
  skippedInWords(
    { interval: 'hour', start_at: null, end_at: null, ...bounds },
    { from: now, until: until === null ? null : Date.parse(until) },
    'utc',
    now,
  )

test('says which windows a pause skips, and which one is exported after it', () => {
  expect(words('2026-03-04T13:20:00Z')).toBe(
    'Skips 3 windows, Wed 4 Mar, 10:00 – 13:00. The first window exported after it is Wed 4 Mar, 13:00 – 14:00.',
  )
  expect(words('2026-03-04T13:00:00Z')).toContain('Skips 3 windows')
  expect(words('2026-03-04T11:00:00Z')).toContain('Skips 1 window, Wed 4 Mar, 10:00 – 11:00.')
  expect(words('2026-03-04T10:59:00Z')).toContain('Skips no window')
  expect(words(null)).toBe('Skips every window from Wed 4 Mar, 10:00 on, until the export is unpaused.')
})

test('a pause skips no window before the start or after the end of its export', () => {
  const until = '2026-03-04T13:20:00Z'
  expect(words(until, { end_at: '2026-03-04T12:00:00Z' })).toBe(
    'Skips 2 windows, Wed 4 Mar, 10:00 – 12:00. The export ends before the pause does.',
  )
  expect(words(until, { end_at: '2026-03-04T10:00:00Z' })).toBe('Skips no window: the export has ended.')
  expect(words(null, { end_at: '2026-03-04T10:00:00Z' })).toBe('Skips no window: the export has ended.')
  expect(words(until, { start_at: '2026-03-04T12:00:00Z' })).toBe(
    'Skips 1 window, Wed 4 Mar, 12:00 – 13:00. The first window exported after it is Wed 4 Mar, 13:00 – 14:00.',
  )
  expect(words(until, { start_at: '2026-03-05T00:00:00Z' })).toBe(
    'Skips no window: the pause ends before the export starts.',
  )
  expect(words(null, { start_at: '2026-03-05T00:00:00Z' })).toContain('from Thu 5 Mar, 00:00 on')
})
