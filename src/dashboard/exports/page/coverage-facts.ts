import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { automaticPause } from '../../../contract/exports/batch-export.ts'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import { intervalLength, type Interval } from '../../../contract/interval.ts'
import type { CoveredWindow } from '../grid/window-selection.ts'

/** Facts about an export derived from several weeks of its windows. Times and durations are in milliseconds. */
export type CoverageFacts = ReturnType<typeof coverageFacts>

const day = 24 * 60 * 60_000

/** Derives the facts from adjoining windows, oldest first; `now` is the end of the newest window that counts. */
export function coverageFacts(interval: Interval, windows: readonly CoveredWindow[], now: number) {
  const span = Math.max(day, intervalLength(interval))
  const recent = within(windows, now - span, now)
  const before = within(windows, now - span - 7 * day, now - 7 * day)
  const comparable =
    isWhole(recent) && isWhole(before) && recent.windows === before.windows && before.records > 0
  const ended = windows.filter(({ state }) => !undecided.has(state))
  const lastGap = ended.findLastIndex(({ state }) => state !== 'completed')
  const gapState = ended[lastGap]?.state
  const amount = (state: WindowState) => windows.filter((window) => window.state === state).length
  return {
    /** The last 24 hours, or the last window if that is longer. */
    recent,
    /** Recent records as a share of those a week before; null if either period is not completely exported. */
    ofWeekBefore: comparable ? recent.records / before.records : null,
    /** Start of the oldest window since which all are completed; null if the newest ended window is not. */
    completeSince: ended[lastGap + 1]?.start ?? null,
    /** Whether all known windows since the export began are completed. */
    alwaysComplete: gapState === undefined || gapState === 'before',
    missing: amount('missing'),
    failed: amount('failed'),
    short: amount('short'),
    /** Skipped by a pause. */
    paused: amount('paused'),
    usual: usualRun(windows),
  }
}

/** States of windows whose result is still open. */
const undecided: ReadonlySet<WindowState> = new Set(['future', 'after', 'due', 'waiting', 'running'])

const outside: ReadonlySet<WindowState> = new Set(['before', 'after'])

function within(windows: readonly CoveredWindow[], after: number, until: number) {
  const found = windows.filter(({ end, state }) => end > after && end <= until && !outside.has(state))
  const exported = found.filter(({ state }) => state === 'completed' || state === 'short')
  return {
    records: exported.reduce((sum, { run }) => sum + (run?.records ?? 0), 0),
    exported: exported.length,
    windows: found.length,
  }
}

function isWhole({ exported, windows }: ReturnType<typeof within>): boolean {
  return windows > 0 && exported === windows
}

function usualRun(windows: readonly CoveredWindow[]) {
  const runs = windows.flatMap(({ state, run }) => (state === 'completed' && run?.duration ? [run] : []))
  const durations = runs.map(({ duration }) => duration ?? 0).sort((a, b) => a - b)
  const duration = durations[Math.floor(durations.length / 2)]
  if (duration === undefined) return null
  const records = runs.reduce((sum, run) => sum + run.records, 0)
  const seconds = durations.reduce((sum, each) => sum + each, 0) / 1000
  return { duration, recordsPerSecond: records / seconds }
}

/** Counts the failures towards the automatic pause: those among the newest of the scheduled runs since the last pause. */
export function failuresTowardsPause(
  newestFirst: readonly Pick<BatchExportRun, 'status' | 'created_at'>[],
  lastPausedAt: string | null,
): number {
  const since = lastPausedAt === null ? -Infinity : Date.parse(lastPausedAt)
  return newestFirst
    .filter((run) => Date.parse(run.created_at) > since)
    .slice(0, automaticPause.recentRunsMax)
    .filter(({ status }) => status === 'Failed').length
}
