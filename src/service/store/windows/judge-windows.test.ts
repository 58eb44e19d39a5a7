import { expect, test } from 'vitest'
import { encodeStates } from '../../../contract/runs/window-state.ts'
import { windowsBetween } from '../../../contract/interval.ts'
import { expectationOf, noHistory, type Expectation, type ScheduleHistory } from './expectation.ts'
import type { WindowRun } from './window-runs.ts'
import { judgeWindows } from './judge-windows.ts'

const hour = 3_600_000
const day = Date.UTC(2026, 2, 4)
const at = (hours: number) => day + hours * hour
const now = at(10.5)
const lifetime: Expectation = {
  interval: 'hour',
  began: at(0),
  begins: at(0),
  ends: Infinity,
  scheduledUntil: at(10),
  skipped: [],
  pauses: [],
  earliestRun: null,
  longest: hour,
}

let made = 0
function runOf(from: number, status: WindowRun['status'], change: Partial<WindowRun> = {}): WindowRun {
  made += 1
  const bounds = { start: at(from), end: at(from + 1) }
  return { id: `run-${made}`, status, ...bounds, records: 5, total: 5, attempt: 1, duration: 20, ...change }
}

function statesOf(runs: WindowRun[], change: Partial<Expectation> = {}, from = 0, until = 12): string {
  const sorted = runs.toSorted((one, other) => one.start - other.start || one.end - other.end)
  const merged = { ...lifetime, ...change }
  const windows = windowsBetween(merged.interval, at(from), at(until))
  return encodeStates(judgeWindows(windows, sorted, [], merged, now).map(({ state }) => state))
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

test('windows that a pause skipped are paused, unless a run exported them', () => {
  const skipped = [{ start: at(2), end: at(4) }]
  expect(statesOf([], { skipped }, 0, 6)).toBe('mmppmm')
  expect(statesOf([runOf(2, 'Completed')], { skipped }, 0, 6)).toBe('mmcpmm')
})

test('after a change to a longer interval, shorter runs count together', () => {
  const hours = Array.from({ length: 10 }, (_, index) => runOf(index - 14, 'Completed'))
  const longer = { interval: 'day', begins: at(-14), scheduledUntil: at(0) } as const
  expect(statesOf(hours, longer, -24, 0)).toBe('m')
  const rest = Array.from({ length: 4 }, (_, index) => runOf(index - 4, 'Completed'))
  const day = windowsBetween('day', at(-24), at(0))
  const [covered] = judgeWindows(day, [...hours, ...rest], [], { ...lifetime, ...longer }, now)
  expect(covered).toMatchObject({ state: 'completed', run: { records: 14 * 5 } })
})

const row = {
  interval: 'day',
  created_at: new Date(at(7.2)),
  start_at: null,
  end_at: null,
  scheduled_until: new Date(at(24)),
} as const

test('an export begins with its schedule as that was before any edit, or with an earlier run', () => {
  const begins = (history: Partial<ScheduleHistory>) =>
    expectationOf(row, { ...noHistory, ...history }, now).begins
  const edits = [{ at: at(9), interval: 'hour' as const }]
  expect(begins({})).toBe(at(0))
  expect(begins({ edits })).toBe(at(7))
  expect(begins({ earliestRun: at(31) })).toBe(at(0))
  expect(begins({ earliestRun: at(-30) })).toBe(at(-30))
  expect(begins({ edits, earliestRun: at(3) })).toBe(at(3))
})

test('an open pause skips whole windows until now, an ended one what it skipped when it ended', () => {
  const pause = { start: at(2.5), end: null, skippedFrom: null, skippedUntil: null }
  const ended = { start: at(2.5), end: at(5.5), skippedFrom: at(3), skippedUntil: at(5) }
  const hourly = { ...row, interval: 'hour', scheduled_until: new Date(at(2)) } as const
  const skipped = (pauses: ScheduleHistory['pauses']) =>
    expectationOf(hourly, { ...noHistory, pauses }, now).skipped
  expect(skipped([pause])).toEqual([{ start: at(2), end: at(10) }])
  expect(skipped([ended])).toEqual([{ start: at(3), end: at(5) }])
  expect(skipped([{ ...pause, start: at(10.1) }])).toEqual([])
})

test('a refuted window is short; one whose rows the source no longer holds is not', () => {
  const mark = { start: at(0), end: at(1), flags: [], isRefuted: false, isUnheld: false, isProven: false }
  const stateOf = (run: WindowRun, change: Partial<typeof mark>) =>
    judgeWindows(windowsBetween('hour', at(0), at(1)), [run], [{ ...mark, ...change }], lifetime, now)[0]
      ?.state
  const short = runOf(0, 'Completed', { records: 4 })
  expect(stateOf(runOf(0, 'Completed'), { isRefuted: true })).toBe('short')
  expect(stateOf(runOf(0, 'Running'), { isRefuted: true })).toBe('running')
  expect(stateOf(short, {})).toBe('short')
  expect(stateOf(short, { isUnheld: true })).toBe('completed')
})

test('after a change to a shorter interval, a longer run counts for each window in proportion', () => {
  const longer = runOf(0, 'Completed', { end: at(4), records: 100, total: 100 })
  const windows = judgeWindows(windowsBetween('hour', at(0), at(5)), [longer], [], lifetime, now)
  expect(windows.map(({ state, run }) => [state, run?.records])).toEqual([
    ...Array.from({ length: 4 }, () => ['completed', 25]),
    ['missing', undefined],
  ])
})
