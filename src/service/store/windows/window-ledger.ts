import type { WindowState } from '../../../contract/runs/coverage.ts'
import { intervalLength, touchedPeriod, windowsBetween, type Window } from '../../../contract/interval.ts'
import {
  comparedWeeks,
  ledgerFlagsOf,
  ledgerStateOf,
  usualRowsOf,
  type LedgerState,
  type UsualRows,
} from '../../../contract/runs/ledger.ts'
import type { LedgerFlag } from '../../../contract/runs/ledger-flags.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { Store } from '../schema/database.ts'
import { recordedBetween, type LedgerEntryRow } from './ledger.ts'
import { exportLifetime, touchingWindows, windowCoverage } from './window-coverage.ts'
import { earliestRunStart, pausesOf, runsBetween, type WindowRun } from './window-runs.ts'

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

/** `recorded`: the recorded intervals, from before the export's interval was changed, that touch a window without a run of its own. */
export type LedgeredWindow = LedgeredInterval & { recorded: readonly LedgeredInterval[] }

const weekMs = 7 * 86_400_000

/** Returns the state of every window of an export that touches [start, end) (milliseconds), oldest first. */
export async function windowLedger(
  store: Store,
  row: BatchExportRow,
  { start, end }: Window,
  now: number,
): Promise<LedgeredWindow[]> {
  const period = touchedPeriod(row.interval, start, end)
  const windows = windowsBetween(row.interval, start, end)
  const [runs, earliest, pauses, entries] = await Promise.all([
    runsBetween(store, row, period.start - comparedWeeks * weekMs, period.end),
    earliestRunStart(store, row.id),
    pausesOf(store, [row.id], period.start),
    recordedBetween(store, row.id, period.start, period.end),
  ])
  const lifetime = exportLifetime(row, earliest?.getTime() ?? null, pauses.get(row.id) ?? [])
  const touching = runs.filter((run) => run.end > period.start)
  const coverage = windowCoverage(windows, touching, lifetime, now)
  const usualOf = usualRowsOf(completedRows(runs))
  const facts = entries.map((entry) => factsOf(entry, usualOf))
  const length = intervalLength(row.interval)
  const own = new Map(
    facts.filter((fact) => fact.end - fact.start === length).map((fact) => [fact.start, fact]),
  )
  // Before the export's interval was changed, its runs had other lengths.
  const others = facts.filter((fact) => fact.end - fact.start !== length)
  const intervalsOf = touchingWindows(row.interval, windows, others)
  return windows.map((window, index) => {
    const state = coverage[index]?.state ?? 'future'
    const found = own.get(window.start)
    if (found) return { ...found, coverage: state, usual: usualOf(window), recorded: [] }
    const intervals = intervalsOf[index] ?? []
    return {
      ...window,
      coverage: state,
      usual: usualOf(window),
      ...stateWithoutOwn(state, intervals),
      entry: null,
      recorded: intervals.map((each) => ({ ...each, coverage: state, usual: usualOf(each) })),
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

type EntryFacts = Window & { entry: LedgerEntryRow; state: LedgerState; flags: LedgerFlag[] }

function factsOf(entry: LedgerEntryRow, usualOf: (window: Window) => UsualRows | null): EntryFacts {
  const bounds = { start: entry.data_interval_start.getTime(), end: entry.data_interval_end.getTime() }
  const judged = { ...entry, verified: entry.verified_at !== null }
  const flags = ledgerFlagsOf(judged, usualOf(bounds))
  return { ...bounds, entry, flags, state: ledgerStateOf(judged, flags) }
}

/** States from the worst to the best, for a window that several recorded intervals touch. */
const worstFirst: readonly LedgerState[] = ['refuted', 'unreadable', 'unverified', 'proven']

/** State of a window without a recorded run of exactly its bounds; `touching` are the recorded intervals of other lengths. */
function stateWithoutOwn(
  coverage: WindowState,
  touching: readonly EntryFacts[],
): Pick<LedgeredWindow, 'state' | 'flags'> {
  const isExported = coverage === 'completed' || coverage === 'short'
  if (!isExported || touching.length === 0) return { state: stateWithoutEntry(coverage), flags: [] }
  return {
    state: worstFirst.find((state) => touching.some((each) => each.state === state)) ?? 'unverified',
    flags: [...new Set(touching.flatMap(({ flags }) => flags))],
  }
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
