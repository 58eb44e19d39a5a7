import { expect, test } from 'vitest'
import { renewalDelay } from './renewal-delay.ts'

const now = Date.parse('2026-03-04T10:31:00Z')
const minute = 60_000

test.each([
  ['2026-03-04T10:36:00Z', 4 * minute],
  ['2026-03-04T10:40:00Z', 8 * minute],
])('paths that expire at %s are renewed a minute before', (expiresAt, delay) => {
  expect(renewalDelay(expiresAt, now)).toBe(delay)
})

test('paths are renewed at most once a minute and at least every eight minutes, whatever the clocks say', () => {
  expect(renewalDelay('2026-03-04T10:00:00Z', now)).toBe(minute)
  expect(renewalDelay('2026-03-04T12:00:00Z', now)).toBe(8 * minute)
  expect(renewalDelay(undefined, now)).toBe(minute)
})
