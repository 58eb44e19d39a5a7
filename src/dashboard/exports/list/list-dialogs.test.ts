import { expect, test } from 'vitest'
import type { Interval } from '../../../contract/interval.ts'
import { planBackfill } from './list-dialogs.tsx'

const at = (iso: string) => Date.parse(iso)
const now = at('2026-11-21T08:20:00Z')

function plan(interval: Interval, start: string, end: string) {
  return planBackfill([{ id: interval, interval, name: interval }], { start: at(start), end: at(end) }, now)
}

test('counts the windows that the period touches', () => {
  expect(plan('hour', '2026-11-20T08:30:00Z', '2026-11-20T10:10:00Z').runs).toBe(3)
  expect(plan('every 5 minutes', '2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z').runs).toBe(12)
})

test('does not backfill a window that has not ended', () => {
  expect(plan('day', '2026-11-19T00:00:00Z', '2026-11-21T08:20:00Z').runs).toBe(2)
})

test('skips an export if no window in the period has ended, with that reason', () => {
  const { parts, skipped } = plan('week', '2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z')
  expect(parts).toEqual([])
  expect(skipped[0]?.why).toBe('no window in this period has ended')
})

test('skips an export if the period takes too many runs, with the reason of the service', () => {
  expect(plan('every 5 minutes', '2025-11-20T00:00:00Z', '2026-11-20T00:00:00Z').skipped[0]?.why).toMatch(
    /^This backfill would need 105120 runs, more than the 10000 allowed/,
  )
})

test('adds up the runs of all exports', () => {
  const rows = (['hour', 'day'] as const).map((interval) => ({ id: interval, interval, name: interval }))
  const period = { start: at('2026-11-20T00:00:00Z'), end: at('2026-11-21T00:00:00Z') }
  expect(planBackfill(rows, period, now).runs).toBe(25)
})
