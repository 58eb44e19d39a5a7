import { expect, test } from 'vitest'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import { windowsBetween, type Interval } from '../../../contract/interval.ts'
import { coverageFacts, failuresTowardsPause } from './coverage-facts.ts'

const now = Date.parse('2026-11-21T08:00:00Z')
const hour = 60 * 60_000
const day = 24 * hour

/** Returns the facts of the last `days`; windows without a `state` are completed, with `records` rows in two seconds. */
function facts(
  interval: Interval,
  days: number,
  state: (start: number) => WindowState | null = () => null,
  records: (start: number) => number = () => 100,
) {
  const windows = windowsBetween(interval, now - days * day, now).map(({ start, end }) => {
    const other = state(start)
    const run = other ? null : { id: 'a', records: records(start), duration: 2000, attempt: 1 }
    return { start, end, state: other ?? ('completed' as const), run }
  })
  return coverageFacts(interval, windows, now)
}

test('compares the rows of a day with the same day a week before', () => {
  const found = facts('hour', 30, undefined, (start) => (start >= now - day ? 88 : 100))
  expect(found.recent).toEqual({ records: 24 * 88, exported: 24, windows: 24 })
  expect(found.ofWeekBefore).toBeCloseTo(0.88)
})

test('does not compare days if either has a window that is not exported', () => {
  const withGap = (at: number) => facts('hour', 30, (start) => (start === at ? 'failed' : null)).ofWeekBefore
  expect(withGap(now - 3 * hour)).toBeNull()
  expect(withGap(now - 7 * day - 3 * hour)).toBeNull()
  expect(withGap(now - 3 * day)).toBe(1)
})

test('reports the last window of a weekly export', () => {
  expect(facts('week', 60).recent).toMatchObject({ records: 100, windows: 1 })
})

test('is complete since the window after the newest gap', () => {
  const since = now - 50 * hour
  const found = facts('hour', 30, (start) =>
    start === since - hour || start === since - 9 * hour ? 'missing' : null,
  )
  expect(found).toMatchObject({ completeSince: since, alwaysComplete: false, missing: 2, failed: 0 })
})

test('counts neither running windows nor windows before the export began as gaps', () => {
  const found = facts('hour', 2, (start) => {
    if (start >= now - 2 * hour) return 'running'
    return start < now - 20 * hour ? 'before' : null
  })
  expect(found).toMatchObject({ completeSince: now - 20 * hour, alwaysComplete: true })
})

test('is not complete while the newest window has failed', () => {
  expect(facts('hour', 2, (start) => (start === now - hour ? 'failed' : null)).completeSince).toBeNull()
})

test('derives the typical duration from the median run, and the speed from all runs', () => {
  expect(facts('hour', 2).usual).toEqual({ duration: 2000, recordsPerSecond: 50 })
  expect(facts('hour', 2, () => 'missing').usual).toBeNull()
})

test('counts failures among the newest fifty scheduled runs since the last pause', () => {
  const run = (status: 'Failed' | 'Completed', minutes: number) => ({
    status,
    created_at: new Date(now - minutes * 60_000).toISOString(),
  })
  expect(failuresTowardsPause([run('Completed', 1)], null)).toBe(0)
  expect(failuresTowardsPause([run('Failed', 1), run('Failed', 20), run('Completed', 30)], null)).toBe(2)
  expect(failuresTowardsPause([run('Failed', 1), run('Failed', 20)], run('Failed', 10).created_at)).toBe(1)
  const many = Array.from({ length: 60 }, (_, index) => run(index < 50 ? 'Completed' : 'Failed', index))
  expect(failuresTowardsPause(many, null)).toBe(0)
})
