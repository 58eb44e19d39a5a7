import { expect, test } from 'vitest'
import type { Interval } from '../../../contract/interval.ts'
import { planBackfill } from './backfill-plan.ts'

const at = (iso: string) => Date.parse(iso)
const now = at('2026-11-21T08:20:00Z')

function plan(interval: Interval, start: string, end: string) {
  return planBackfill([{ id: interval, interval, name: interval }], { start: at(start), end: at(end) }, now)
}

test('counts the windows that the period touches', () => {
  expect(plan('hour', '2026-11-20T08:30:00Z', '2026-11-20T10:10:00Z').runs).toBe(3)
  expect(plan('every 5 minutes', '2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z').runs).toBe(12)
})

test('a window that has not ended is not backfilled', () => {
  const { parts, runs } = plan('day', '2026-11-19T00:00:00Z', '2026-11-21T08:20:00Z')
  expect(runs).toBe(2)
  expect(parts[0]?.range.end_at).toBe('2026-11-21T00:00:00Z')
})

test('an export whose windows in the period have not ended is left out, and says so', () => {
  const { parts, leftOut } = plan('week', '2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z')
  expect(parts).toEqual([])
  expect(leftOut[0]?.why).toBe('none of its windows in this period has ended')
})

test('a period that makes too many runs is left out with the reason of the service', () => {
  expect(plan('every 5 minutes', '2025-11-20T00:00:00Z', '2026-11-20T00:00:00Z').leftOut[0]?.why).toMatch(
    /^This backfill would take 105120 runs, more than the 10000 allowed/,
  )
})

test('adds up the runs of all exports', () => {
  const rows = (['hour', 'day'] as const).map((interval) => ({ id: interval, interval, name: interval }))
  const period = { start: at('2026-11-20T00:00:00Z'), end: at('2026-11-21T00:00:00Z') }
  expect(planBackfill(rows, period, now).runs).toBe(25)
})
