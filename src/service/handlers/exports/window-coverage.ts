import { isRunInProgress } from '../../../contract/batch-export-run.ts'
import type { DecidingRun, WindowCoverage, WindowState } from '../../../contract/coverage.ts'
import { countWindows, windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { beginSchedule, scheduleOf } from '../../../contract/schedule.ts'
import type { BatchExportRow } from '../../store/batch-exports.ts'
import type { Pause, WindowRun } from '../../store/window-runs.ts'

/** What says which windows an export should have exported; moments in milliseconds. */
export type ExportLife = {
  interval: Interval
  begins: number
  ends: number
  scheduledUntil: number
  pauses: readonly Pause[]
}

type LifeColumns = Pick<BatchExportRow, 'interval' | 'created_at' | 'start_at' | 'end_at' | 'scheduled_until'>

/** It begins with the window of the creation or the later start, or with the earliest window that a run has had. */
export function exportLife(
  row: LifeColumns,
  earliestRun: number | null,
  pauses: readonly Pause[],
): ExportLife {
  const schedule = scheduleOf(row)
  return {
    interval: row.interval,
    begins: Math.min(beginSchedule(schedule, row.created_at.getTime()), earliestRun ?? Infinity),
    ends: schedule.endAt,
    scheduledUntil: row.scheduled_until.getTime(),
    pauses,
  }
}

/** What the runs of one data interval have come to. */
type Piece = Window & { state: WindowState; run: DecidingRun }

/**
 * What became of each of these adjoining windows. A run of another length, from before the export's interval was changed,
 * counts for every window that it touches. `runs` come by interval, the end first, those of one interval oldest first.
 */
export function windowCoverage(
  windows: readonly Window[],
  runs: readonly WindowRun[],
  life: ExportLife,
  now: number,
): WindowCoverage[] {
  const first = windows[0]?.start ?? 0
  const touching: Piece[][] = windows.map(() => [])
  for (const piece of piecesOf(runs)) {
    const from = countWindows(life.interval, first, windowAt(life.interval, piece.start).start)
    const until = Math.min(windows.length, countWindows(life.interval, first, piece.end))
    for (let index = from; index < until; index += 1) touching[index]?.push(piece)
  }
  return windows.map((window, index) => coverageOf(window, touching[index] ?? [], life, now))
}

function piecesOf(runs: readonly WindowRun[]): Piece[] {
  const pieces: Piece[] = []
  for (let from = 0, until = 0; from < runs.length; from = until) {
    const { start, end } = runs[from] ?? { start: 0, end: 0 }
    until = from + 1
    while (runs[until]?.start === start && runs[until]?.end === end) until += 1
    const run = deciding(runs, from, until)
    if (run) pieces.push({ start, end, state: stateOf(run), run: shown(run) })
  }
  return pieces
}

/** A completed run counts until a newer one is under way; cancelled ones count for nothing. */
function deciding(runs: readonly WindowRun[], from: number, until: number): WindowRun | undefined {
  let open: WindowRun | undefined
  let completed: WindowRun | undefined
  let failed: WindowRun | undefined
  for (let index = from; index < until; index += 1) {
    const run = runs[index]
    if (!run) continue
    if (isRunInProgress(run.status)) open = run
    else if (run.status === 'Completed') [open, completed] = [undefined, run]
    else if (run.status === 'Failed' || run.status === 'TimedOut') failed = run
  }
  return open ?? completed ?? failed
}

function shown({ id, records, duration, attempt }: WindowRun): DecidingRun {
  return { id, records, duration, attempt }
}

function stateOf({ status, records, total }: WindowRun): WindowState {
  if (status === 'Completed') return total !== null && records < total ? 'short' : 'completed'
  if (status === 'Running') return 'running'
  return isRunInProgress(status) ? 'waiting' : 'failed'
}

/** Of several runs that touch a window, what is under way is told first, then what failed. */
const telling: readonly WindowState[] = ['running', 'waiting', 'failed']

function coverageOf(window: Window, pieces: readonly Piece[], life: ExportLife, now: number): WindowCoverage {
  const exact = pieces.find(({ start, end }) => start === window.start && end === window.end)
  if (exact && (pieces.length === 1 || exact.state !== 'failed'))
    return { state: exact.state, run: exact.run }
  const good = pieces.filter(({ state }) => state === 'completed' || state === 'short')
  const last = good.at(-1)
  if (last && isCovered(Math.max(window.start, life.begins), window.end, good))
    return {
      state: good.some(({ state }) => state === 'short') ? 'short' : 'completed',
      run: { ...last.run, records: good.reduce((sum, piece) => sum + share(piece, window), 0) },
    }
  for (const state of telling) {
    const piece = pieces.findLast((piece) => piece.state === state)
    if (piece) return { state, run: { ...piece.run, records: share(piece, window) } }
  }
  return { state: stateWithoutRun(window, life, now), run: null }
}

/** Whether the pieces, by their end, leave nothing of [start, end) out. */
function isCovered(start: number, end: number, pieces: readonly Window[]): boolean {
  let until = start
  for (const piece of pieces) if (piece.start <= until) until = Math.max(until, piece.end)
  return until >= end
}

/** As many of a piece's records as its part within the window makes likely. */
function share({ start, end, run }: Piece, window: Window): number {
  const part = Math.min(end, window.end) - Math.max(start, window.start)
  return Math.round((run.records * part) / (end - start))
}

function stateWithoutRun({ start, end }: Window, life: ExportLife, now: number): WindowState {
  if (end > life.ends) return 'after'
  if (end > now) return 'future'
  if (start < windowAt(life.interval, life.begins).start) return 'before'
  // The schedule goes on with the window that holds the end of the pause.
  if (life.pauses.some((pause) => pause.start < end && (pause.end === null || end <= pause.end)))
    return 'paused'
  return end > life.scheduledUntil ? 'due' : 'missing'
}
