import type { WindowState } from '../../../contract/runs/window-state.ts'
import { touchedPeriod, windowsBetween, type Window } from '../../../contract/interval.ts'
import { type LedgerState } from '../../../contract/runs/ledger.ts'
import { comparedWeeks, usualRowsOf, type UsualRows } from '../../../contract/runs/usual-rows.ts'
import type { LedgerFlag } from '../../../contract/runs/ledger-flags.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { Store } from '../schema/database.ts'
import { readExpectation } from './expectation.ts'
import { markOf } from './ledger-marks.ts'
import { recordedBetween, type LedgerEntryRow } from './ledger.ts'
import { runsBetween, type WindowRun } from './window-runs.ts'
import { judgeWindows, touchingWindows } from './judge-windows.ts'

/** Everything that is known about a window, or about a recorded interval of another length; times in milliseconds. */
export type LedgeredInterval = Window & {
  /** State of the window's runs. */
  coverage: WindowState
  state: LedgerState
  flags: readonly LedgerFlag[]
  usual: UsualRows | null
  /** Null for a window without a recorded run. */
  entry: LedgerEntryRow | null
}

/** `recorded`: intervals of an earlier schedule that overlap a window without a run. */
export type LedgeredWindow = LedgeredInterval & { recorded: readonly LedgeredInterval[] }

const weekMs = 7 * 86_400_000

/** Returns the state of every window of an export that touches [start, end) (milliseconds), oldest first. */
export async function windowLedger(store: Store, row: BatchExportRow, { start, end }: Window, now: number) {
  const period = touchedPeriod(row.interval, start, end)
  const windows = windowsBetween(row.interval, start, end)
  const [runs, entries, expectation] = await Promise.all([
    runsBetween(store, row, period.start - comparedWeeks * weekMs, period.end),
    recordedBetween(store, row.id, period),
    readExpectation(store, row, now),
  ])
  const usualOf = usualRowsOf(completedRows(runs))
  const facts = entries.map((entry) => {
    const bounds = { start: entry.data_interval_start.getTime(), end: entry.data_interval_end.getTime() }
    return { ...markOf(bounds, entry, usualOf(bounds)), entry, usual: usualOf(bounds) }
  })
  const touching = runs.filter((run) => run.end > period.start)
  const judged = judgeWindows(windows, touching, facts, expectation, now)
  const factsOf = touchingWindows(row.interval, windows, facts)
  return windows.map((window, index) => {
    const { state: coverage = 'future', flags = [] } = judged[index] ?? {}
    const touched = factsOf[index] ?? []
    const own = touched.find(({ start, end }) => start === window.start && end === window.end)
    if (own) return { ...own, coverage, recorded: [] }
    return {
      ...window,
      coverage,
      usual: usualOf(window),
      state: stateWithoutOwn(coverage, touched),
      flags,
      entry: null,
      recorded: touched.map((each) => ({ ...each, coverage })),
    }
  })
}

/** Returns the rows of the newest completed run of each interval. */
function completedRows(runs: readonly WindowRun[]) {
  const completed = runs.filter(({ status }) => status === 'Completed')
  return completed
    .filter(({ start, end }, index) => {
      const next = completed[index + 1]
      return next?.start !== start || next.end !== end
    })
    .map(({ start, end, records }) => ({ start, end, rows: records }))
}

/** States from the worst to the best, for a window that several recorded intervals touch. */
const worstFirst: readonly LedgerState[] = ['refuted', 'unreadable', 'unverified', 'sent', 'proven']

/** State of a window without a recorded run of exactly its bounds; `touching` are the recorded intervals of other lengths. */
function stateWithoutOwn(coverage: WindowState, touching: readonly { state: LedgerState }[]): LedgerState {
  const isExported = coverage === 'completed' || coverage === 'short'
  if (!isExported || touching.length === 0) return stateWithoutEntry(coverage)
  return worstFirst.find((state) => touching.some((each) => each.state === state)) ?? 'unverified'
}

function stateWithoutEntry(coverage: WindowState): LedgerState {
  switch (coverage) {
    case 'completed':
    case 'short':
      return 'unrecorded'
    case 'failed':
    case 'missing':
      return 'missing'
    case 'running':
    case 'waiting':
    case 'due':
      return 'pending'
    case 'paused':
    case 'before':
    case 'after':
    case 'future':
      return 'skipped'
  }
}
