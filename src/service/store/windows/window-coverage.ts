import { isRunInProgress } from '../../../contract/runs/batch-export-run.ts'
import type { DecidingRun, WindowCoverage, WindowState } from '../../../contract/runs/coverage.ts'
import { countWindows, windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { beginSchedule, scheduleOf } from '../../../contract/exports/schedule.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import type { Pause, WindowRun } from './window-runs.ts'

/** The facts that determine which windows an export should have exported; times in milliseconds. */
export type ExportLifetime = {
  interval: Interval
  begins: number
  ends: number
  scheduledUntil: number
  pauses: readonly Pause[]
}

type LifetimeColumns = Pick<
  BatchExportRow,
  'interval' | 'created_at' | 'start_at' | 'end_at' | 'scheduled_until'
>

/**
 * The lifetime starts with the window of the creation or the later `start_at`, or with one after `start_at` that had a run
 * earlier. A window before that has the state of its run.
 */
export function exportLifetime(
  row: LifetimeColumns,
  earliestRun: number | null,
  pauses: readonly Pause[],
): ExportLifetime {
  const schedule = scheduleOf(row)
  const began = Math.max(
    windowAt(row.interval, schedule.startAt).start,
    Math.min(beginSchedule(schedule, row.created_at.getTime()), earliestRun ?? Infinity),
  )
  return {
    interval: row.interval,
    begins: firstRunIn(windowAt(row.interval, began), earliestRun, pauses) ?? began,
    ends: schedule.endAt,
    scheduledUntil: row.scheduled_until.getTime(),
    pauses,
  }
}

/**
 * Returns the start of the earliest run in an export's first window. It is later than the window's start if the export began
 * with a shorter interval. Returns null if the window has no run, or if a pause may have skipped the time before it.
 */
function firstRunIn(
  { start, end }: Window,
  earliestRun: number | null,
  pauses: readonly Pause[],
): number | null {
  if (earliestRun === null || earliestRun < start || earliestRun >= end) return null
  return pauses.some((pause) => pause.start < earliestRun) ? null : earliestRun
}

/** Outcome of the runs of one data interval. */
type Piece = Window & { state: WindowState; run: DecidingRun }

/**
 * Returns the state of each of these contiguous windows. A run of another length, from before the export's interval was
 * changed, counts for every window that it touches. `runs` are sorted by end, then start, then age (oldest first).
 */
export function windowCoverage(
  windows: readonly Window[],
  runs: readonly WindowRun[],
  lifetime: ExportLifetime,
  now: number,
): WindowCoverage[] {
  const touching = touchingWindows(lifetime.interval, windows, piecesOf(runs))
  return windows.map((window, index) => coverageOf(window, touching[index] ?? [], lifetime, now))
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

function piecesOf(runs: readonly WindowRun[]): Piece[] {
  const pieces: Piece[] = []
  for (let from = 0, until = 0; from < runs.length; from = until) {
    const { start, end } = runs[from] ?? { start: 0, end: 0 }
    until = from + 1
    while (runs[until]?.start === start && runs[until]?.end === end) until += 1
    const run = decidingRun(runs, from, until)
    if (run) pieces.push({ start, end, state: stateOf(run), run: shown(run) })
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

function stateOf({ status, records, total }: WindowRun): WindowState {
  if (status === 'Completed') return total !== null && records < total ? 'short' : 'completed'
  if (status === 'Running') return 'running'
  return isRunInProgress(status) ? 'waiting' : 'failed'
}

/** Priority of states if several runs touch a window: in progress first, then failed. */
const statePriority: readonly WindowState[] = ['running', 'waiting', 'failed']

function coverageOf(
  window: Window,
  pieces: readonly Piece[],
  lifetime: ExportLifetime,
  now: number,
): WindowCoverage {
  const exact = pieces.find(({ start, end }) => start === window.start && end === window.end)
  if (exact && (pieces.length === 1 || exact.state !== 'failed'))
    return { state: exact.state, run: exact.run }
  const good = pieces.filter(({ state }) => state === 'completed' || state === 'short')
  const last = good.at(-1)
  if (last && isCovered(Math.max(window.start, lifetime.begins), window.end, good))
    return {
      state: good.some(({ state }) => state === 'short') ? 'short' : 'completed',
      run: { ...last.run, records: good.reduce((sum, piece) => sum + share(piece, window), 0) },
    }
  for (const state of statePriority) {
    const piece = pieces.findLast((piece) => piece.state === state)
    if (piece) return { state, run: { ...piece.run, records: share(piece, window) } }
  }
  return { state: stateWithoutRun(window, lifetime, now), run: null }
}

/** Returns whether the pieces, sorted by end, cover all of [start, end). */
function isCovered(start: number, end: number, pieces: readonly Window[]): boolean {
  let until = start
  for (const piece of pieces) if (piece.start <= until) until = Math.max(until, piece.end)
  return until >= end
}

/** Estimates the piece's records within the window, in proportion to the overlap. */
function share({ start, end, run }: Piece, window: Window): number {
  const part = Math.min(end, window.end) - Math.max(start, window.start)
  return Math.round((run.records * part) / (end - start))
}

function stateWithoutRun({ start, end }: Window, lifetime: ExportLifetime, now: number): WindowState {
  if (end > lifetime.ends) return 'after'
  if (end > now) return 'future'
  if (start < windowAt(lifetime.interval, lifetime.begins).start) return 'before'
  // The schedule resumes with the window that contains the end of the pause.
  if (lifetime.pauses.some((pause) => pause.start < end && (pause.end === null || end <= pause.end)))
    return 'paused'
  return end > lifetime.scheduledUntil ? 'due' : 'missing'
}
