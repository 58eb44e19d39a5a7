import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import type { DecidingRun, WindowCoverage } from '../../../contract/runs/coverage.ts'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import { countWindows, windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import type { LedgerFlag } from '../../../contract/runs/ledger-flags.ts'
import type { Expectation } from './expectation.ts'
import { intersect, subtract, union } from './time-ranges.ts'
import type { WindowRun } from './window-runs.ts'

/*
 * The one place that says what state a window is in: from its runs, from what was expected of its export, and from what the
 * ledger knows of the rows that the runs wrote. Everything that shows, counts or repairs windows reads it.
 */

/** What the ledger says of a recorded interval. */
export type LedgerMark = Window & {
  flags: readonly LedgerFlag[]
  /** Rows are missing or changed at the destination, and exporting the interval again helps. */
  isRefuted: boolean
  /** Rows are missing, and the source no longer holds them either: exporting the interval again would not help. */
  isUnheld: boolean
  /** The destination has exactly the rows that the run took. */
  isProven: boolean
}

/** A window's one state with the run that decided it, and the marks that do not depend on the state. */
export type JudgedWindow = WindowCoverage & { flags: readonly LedgerFlag[]; isProven: boolean }

/**
 * Judges each of these contiguous windows. A run of another length, from before the export's interval was changed, counts for
 * every window that it touches. `runs` are sorted by end, then start, then age (oldest first).
 */
export function judgeWindows(
  windows: readonly Window[],
  runs: readonly WindowRun[],
  marks: readonly LedgerMark[],
  expectation: Expectation,
  now: number,
): JudgedWindow[] {
  const pieces = touchingWindows(expectation.interval, windows, piecesOf(runs))
  const marksOf = touchingWindows(expectation.interval, windows, marks)
  return windows.map((window, index) => {
    const decided = stateOfRuns(window, pieces[index] ?? [], expectation, now)
    return { ...decided, ...markedState(window, decided.state, marksOf[index] ?? []) }
  })
}

/** Returns for each of these contiguous windows the pieces that touch it, in their order. */
export function touchingWindows<Piece extends Window>(
  interval: Interval,
  windows: readonly Window[],
  pieces: readonly Piece[],
): Piece[][] {
  const first = windows[0]?.start ?? 0
  const touching: Piece[][] = windows.map(() => [])
  for (const piece of pieces) {
    const from = countWindows(interval, first, windowAt(interval, piece.start).start)
    const until = Math.min(windows.length, countWindows(interval, first, piece.end))
    for (let index = from; index < until; index += 1) touching[index]?.push(piece)
  }
  return touching
}

/** Outcome of the runs of one data interval. */
type Piece = Window & { state: WindowState; run: DecidingRun }

function piecesOf(runs: readonly WindowRun[]): Piece[] {
  const pieces: Piece[] = []
  for (let from = 0, until = 0; from < runs.length; from = until) {
    const { start, end } = runs[from] ?? { start: 0, end: 0 }
    until = from + 1
    while (runs[until]?.start === start && runs[until]?.end === end) until += 1
    const run = decidingRun(runs, from, until)
    if (run) pieces.push({ start, end, state: outcomeOf(run), run: shown(run) })
  }
  return pieces
}

/** Returns a run in progress unless a newer one has completed, else a completed run, else a failed one. */
function decidingRun(runs: readonly WindowRun[], from: number, until: number): WindowRun | undefined {
  let inProgress: WindowRun | undefined
  let completed: WindowRun | undefined
  let failed: WindowRun | undefined
  for (let index = from; index < until; index += 1) {
    const run = runs[index]
    if (!run) continue
    if (isRunInProgress(run.status)) inProgress = run
    else if (run.status === 'Completed') [inProgress, completed] = [undefined, run]
    else if (run.status === 'Failed' || run.status === 'TimedOut') failed = run
  }
  return inProgress ?? completed ?? failed
}

function shown({ id, records, duration, attempt }: WindowRun): DecidingRun {
  return { id, records, duration, attempt }
}

function outcomeOf({ status, records, total }: WindowRun): WindowState {
  if (status === 'Completed') return total !== null && records < total ? 'short' : 'completed'
  if (status === 'Running') return 'running'
  return isRunInProgress(status) ? 'waiting' : 'failed'
}

function stateOfRuns(
  window: Window,
  pieces: readonly Piece[],
  expectation: Expectation,
  now: number,
): WindowCoverage {
  const exact = pieces.find((piece) => isSame(piece, window))
  if (exact && (pieces.length === 1 || exact.state !== 'failed'))
    return { state: exact.state, run: exact.run }
  const inState = (...states: WindowState[]) => pieces.filter(({ state }) => states.includes(state))
  const exported = inState('completed', 'short')
  const last = exported.at(-1)
  const taken = union(exported)
  const asked = { start: Math.max(window.start, expectation.begins), end: window.end }
  if (last && subtract([asked], taken).length === 0)
    return {
      state: exported.some(({ state }) => state === 'short') ? 'short' : 'completed',
      run: { ...last.run, records: exported.reduce((sum, piece) => sum + share(piece, window), 0) },
    }
  const pending = inState('running').at(-1) ?? inState('waiting').at(-1)
  const open = openTime(window, taken, intersect(union(inState('failed')), [window]), expectation)
  const failed = inState('failed').findLast((piece) => intersect(open.failed, [piece]).length > 0)
  const shownPiece = pending ?? failed
  if (shownPiece)
    return {
      state: shownPiece.state,
      run: { ...shownPiece.run, records: share(shownPiece, window) },
    }
  return { state: stateWithoutRun(window, open, expectation, now), run: null }
}

function stateWithoutRun({ end }: Window, open: OpenTime, { begins, ends }: Expectation, now: number) {
  if (end > ends) return 'after'
  if (end > now) return 'future'
  if (end <= begins) return 'before'
  if (open.missing.length > 0) return 'missing'
  return open.due.length > 0 ? 'due' : 'paused'
}

/** Time that no run has exported, by the reason: disjoint ranges, oldest first. */
type OpenTime = Record<'failed' | 'missing' | 'due' | 'paused', Window[]>

/**
 * Divides the time of a period that is not `taken` by runs. Failed time counts even where no window is expected, such as after
 * an edit that moves the start of an export; the rest is within the period.
 */
export function openTime(
  { start, end }: Window,
  taken: readonly Window[],
  failed: readonly Window[],
  { begins, scheduledUntil, skipped }: Expectation,
): OpenTime {
  const openFailed = subtract(failed, taken)
  const expected = subtract(subtract(union([{ start: Math.max(start, begins), end }]), taken), openFailed)
  const unskipped = subtract(expected, skipped)
  return {
    failed: openFailed,
    missing: intersect(unskipped, union([{ start: -Infinity, end: scheduledUntil }])),
    due: intersect(unskipped, union([{ start: scheduledUntil, end: Infinity }])),
    paused: intersect(expected, skipped),
  }
}

/** The marks of a window are those of its own entry; without one, an exported window has those of all entries that touch it. */
function markedState(window: Window, state: WindowState, touching: readonly LedgerMark[]) {
  if (touching.length === 0) return unmarked
  const isExported = state === 'completed' || state === 'short'
  const own = touching.filter((mark) => isSame(mark, window))
  const counted = own.length > 0 ? own : isExported ? touching : []
  return {
    ...(isExported && { state: exportedState(state, touching) }),
    flags: [...new Set(counted.flatMap(({ flags }) => flags))],
    isProven: counted.length > 0 && counted.every(({ isProven }) => isProven),
  }
}

const unmarked = { flags: [], isProven: false } as const

/** Rows that are no longer held make no window short, because no run could export them again. */
function exportedState(state: 'completed' | 'short', marks: readonly LedgerMark[]): WindowState {
  if (marks.some(({ isRefuted }) => isRefuted)) return 'short'
  return marks.some(({ isUnheld }) => isUnheld) ? 'completed' : state
}

function isSame(one: Window, other: Window): boolean {
  return one.start === other.start && one.end === other.end
}

/** Estimates the piece's records within the window, in proportion to the overlap. */
function share({ start, end, run }: Piece, window: Window): number {
  const part = Math.min(end, window.end) - Math.max(start, window.start)
  return Math.round((run.records * part) / (end - start))
}
