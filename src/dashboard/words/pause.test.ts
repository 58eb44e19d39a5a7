import { expect, test } from 'vitest'
import { skippedInWords } from './pause.ts'

const now = Date.parse('2026-03-04T10:30:00Z')
const words = (until: string | null) =>
  skippedInWords('hour', { from: now, until: until === null ? null : Date.parse(until) }, 'utc', now)

test('says which windows a pause skips, and which one is exported after it', () => {
  expect(words('2026-03-04T13:20:00Z')).toBe(
    'Skips 3 windows, Wed 4 Mar, 10:00 – 13:00. The first window exported after it is Wed 4 Mar, 13:00 – 14:00.',
  )
  expect(words('2026-03-04T13:00:00Z')).toContain('Skips 3 windows')
  expect(words('2026-03-04T11:00:00Z')).toContain('Skips 1 window, Wed 4 Mar, 10:00 – 11:00.')
  expect(words('2026-03-04T10:59:00Z')).toContain('Skips no window')
  expect(words(null)).toBe('Skips every window from Wed 4 Mar, 10:00 on, until the export is unpaused.')
})
