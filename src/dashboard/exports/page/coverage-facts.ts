import type { BatchExportRun } from '../../../contract/batch-export-run.ts'
import type { WindowCoverage, WindowState } from '../../../contract/coverage.ts'
import { intervalLength, type Interval, type Window } from '../../../contract/interval.ts'

type CoveredWindow = Window & WindowCoverage

/** What the windows of some weeks tell about an export. Times and durations in milliseconds. */
export type CoverageFacts = {
  /** Of the last 24 hours, or of the last window where that is longer. */
  recent: { records: number; exported: number; windows: number }
  /** Those records as a share of the same time a week before; null when one of both is not whole. */
  ofWeekBefore: number | null
  /** Start of the oldest window since which all are completed; null when the newest that should be is not. */
  completeSince: number | null
  /** Whether it has been so since the export began, or for longer than is known here. */
  alwaysComplete: boolean
  missing: number
  failed: number
  short: number
  /** Skipped by a pause. */
  paused: number
  usual: { duration: number; recordsPerSecond: number } | null
}

const day = 24 * 60 * 60_000

/** `windows` adjoin, oldest first; `now` is when the newest that counts has ended. */
export function coverageFacts(
  interval: Interval,
  windows: readonly CoveredWindow[],
  now: number,
): CoverageFacts {
  const span = Math.max(day, intervalLength(interval))
  const recent = within(windows, now - span, now)
  const before = within(windows, now - span - 7 * day, now - 7 * day)
  const comparable =
    isWhole(recent) && isWhole(before) && recent.windows === before.windows && before.records > 0
  const ended = windows.filter(({ state }) => !undecided.has(state))
  const lastHole = ended.findLastIndex(({ state }) => state !== 'completed')
  const hole = ended[lastHole]?.state
  const amount = (state: WindowState) => windows.filter((window) => window.state === state).length
  return {
    recent,
    ofWeekBefore: comparable ? recent.records / before.records : null,
    completeSince: ended[lastHole + 1]?.start ?? null,
    alwaysComplete: hole === undefined || hole === 'before',
    missing: amount('missing'),
    failed: amount('failed'),
    short: amount('short'),
    paused: amount('paused'),
    usual: usualRun(windows),
  }
}

/** What will be decided by itself. */
const undecided: ReadonlySet<WindowState> = new Set(['future', 'after', 'due', 'waiting', 'running'])

const outside: ReadonlySet<WindowState> = new Set(['before', 'after'])

function within(windows: readonly CoveredWindow[], after: number, until: number): CoverageFacts['recent'] {
  const found = windows.filter(({ end, state }) => end > after && end <= until && !outside.has(state))
  const exported = found.filter(({ state }) => state === 'completed' || state === 'short')
  return {
    records: exported.reduce((sum, { run }) => sum + (run?.records ?? 0), 0),
    exported: exported.length,
    windows: found.length,
  }
}

function isWhole({ exported, windows }: CoverageFacts['recent']): boolean {
  return windows > 0 && exported === windows
}

function usualRun(windows: readonly CoveredWindow[]): CoverageFacts['usual'] {
  const runs = windows.flatMap(({ state, run }) => (state === 'completed' && run?.duration ? [run] : []))
  const durations = runs.map(({ duration }) => duration ?? 0).sort((a, b) => a - b)
  const duration = durations[Math.floor(durations.length / 2)]
  if (duration === undefined) return null
  const records = runs.reduce((sum, run) => sum + run.records, 0)
  const seconds = durations.reduce((sum, each) => sum + each, 0) / 1000
  return { duration, recordsPerSecond: records / seconds }
}

const failuresMax = 10
const runsThatCount = 50

/** How many more of its newest runs may fail before an export pauses itself; null while none has failed. */
export function failuresLeft(
  newestFirst: readonly Pick<BatchExportRun, 'status' | 'created_at'>[],
  lastPausedAt: string | null,
): number | null {
  const since = lastPausedAt === null ? -Infinity : Date.parse(lastPausedAt)
  const failures = newestFirst
    .filter((run) => Date.parse(run.created_at) > since)
    .slice(0, runsThatCount)
    .filter(({ status }) => status === 'Failed').length
  return failures === 0 ? null : Math.max(0, failuresMax - failures)
}
