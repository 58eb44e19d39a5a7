import { expect, test } from 'vitest'
import { encodeStates } from '../../../contract/runs/coverage.ts'
import { windowsBetween } from '../../../contract/interval.ts'
import type { WindowRun } from './window-runs.ts'
import { exportLifetime, windowCoverage, type ExportLifetime } from './window-coverage.ts'

const hour = 3_600_000
const day = Date.UTC(2026, 2, 4)
const at = (hours: number) => day + hours * hour
const now = at(10.5)
const lifetime: ExportLifetime = {
  interval: 'hour',
  begins: at(0),
  ends: Infinity,
  scheduledUntil: at(10),
  pauses: [],
}

let made = 0
function runOf(from: number, status: WindowRun['status'], change: Partial<WindowRun> = {}): WindowRun {
  made += 1
  const bounds = { start: at(from), end: at(from + 1) }
  return { id: `run-${made}`, status, ...bounds, records: 5, total: 5, attempt: 1, duration: 20, ...change }
}

function statesOf(runs: WindowRun[], change: Partial<ExportLifetime> = {}, from = 0, until = 12): string {
  const sorted = runs.toSorted((one, other) => one.start - other.start || one.end - other.end)
  const merged = { ...lifetime, ...change }
  const windows = windowsBetween(merged.interval, at(from), at(until))
  return encodeStates(windowCoverage(windows, sorted, merged, now).map(({ state }) => state))
}

test('an ended window without a run is missing', () => {
  expect(statesOf([runOf(0, 'Completed'), runOf(2, 'Completed')], {}, 0, 4)).toBe('cmcm')
})

test('a window that the schedule has not reached is due, one that has not ended is in the future', () => {
  expect(statesOf([], { scheduledUntil: at(9) }, 8)).toBe('mduu')
})

test('windows outside the lifetime are neither missing nor failed', () => {
  expect(statesOf([], { begins: at(2), ends: at(4) }, 0, 6)).toBe('bbmmaa')
})

test('a completed run counts, regardless of failures before or after it', () => {
  expect(statesOf([runOf(0, 'Failed'), runOf(0, 'Completed'), runOf(0, 'Failed')], {}, 0, 1)).toBe('c')
  expect(statesOf([runOf(0, 'Completed', { records: 4 })], {}, 0, 1)).toBe('s')
})

test('a run in progress overrides an older completed run, but not a newer one', () => {
  expect(statesOf([runOf(0, 'Completed'), runOf(0, 'Running')], {}, 0, 1)).toBe('r')
  expect(statesOf([runOf(0, 'Starting'), runOf(0, 'Completed')], {}, 0, 1)).toBe('c')
  expect(statesOf([runOf(0, 'Failed'), runOf(0, 'FailedRetryable')], {}, 0, 1)).toBe('w')
})

test('ignores cancelled runs', () => {
  expect(statesOf([runOf(0, 'Cancelled')], {}, 0, 1)).toBe('m')
  expect(statesOf([runOf(0, 'TimedOut'), runOf(0, 'Cancelled')], {}, 0, 1)).toBe('f')
  expect(statesOf([runOf(0, 'Completed'), runOf(0, 'Cancelled')], {}, 0, 1)).toBe('c')
})

test('windows that ended during a pause are paused; the ones before it and at its end are not', () => {
  const pauses = [{ start: at(2), end: at(4.5) }]
  expect(statesOf([], { pauses }, 0, 6)).toBe('mmppmm')
  expect(statesOf([runOf(2, 'Completed')], { pauses }, 0, 6)).toBe('mmcpmm')
  expect(statesOf([], { pauses: [{ start: at(3), end: null }] }, 0, 6)).toBe('mmmppp')
})

test('after a change to a longer interval, shorter runs count together', () => {
  const hours = Array.from({ length: 10 }, (_, index) => runOf(index - 14, 'Completed'))
  const longer = { interval: 'day', begins: at(-14), scheduledUntil: at(0) } as const
  expect(statesOf(hours, longer, -24, 0)).toBe('m')
  const rest = Array.from({ length: 4 }, (_, index) => runOf(index - 4, 'Completed'))
  const [covered] = windowCoverage(
    windowsBetween('day', at(-24), at(0)),
    [...hours, ...rest],
    { ...lifetime, ...longer },
    now,
  )
  expect(covered).toMatchObject({ state: 'completed', run: { records: 14 * 5 } })
})

test('after a change to a longer interval, the first window begins with the first run unless a pause preceded it', () => {
  const row = {
    interval: 'day',
    created_at: new Date(at(7.2)),
    start_at: null,
    end_at: null,
    scheduled_until: new Date(at(24)),
  } as const
  const begins = (earliestRun: number | null, pauses: ExportLifetime['pauses'] = []) =>
    exportLifetime(row, earliestRun, pauses).begins
  expect(begins(at(7))).toBe(at(7))
  expect(begins(at(0))).toBe(at(0))
  expect(begins(null)).toBe(at(0))
  expect(begins(at(31))).toBe(at(0))
  expect(begins(at(-30))).toBe(at(-30))
  expect(begins(at(9), [{ start: at(7.5), end: at(9) }])).toBe(at(0))
  expect(begins(at(7), [{ start: at(9), end: at(12) }])).toBe(at(7))
})

test('after a change to a shorter interval, a longer run counts for each window in proportion', () => {
  const longer = runOf(0, 'Completed', { end: at(4), records: 100, total: 100 })
  const windows = windowCoverage(windowsBetween('hour', at(0), at(5)), [longer], lifetime, now)
  expect(windows.map(({ state, run }) => [state, run?.records])).toEqual([
    ...Array.from({ length: 4 }, () => ['completed', 25]),
    ['missing', undefined],
  ])
})
