import type { RepairStepRow } from '../store/repair/repair-plans.ts'
import type { StepWindow, UnsuccessfulRun } from '../store/repair/repair-progress.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { countToRepair, type RepairStretch } from '../store/windows/windows-to-repair.ts'

export const deletedReason = 'The batch export has been deleted.'
const cancelledReason = 'the run was cancelled'

export type StepOutcome = {
  /** The recorded windows of the step, verified. */
  windows: readonly StepWindow[]
  /** What still needs repair. */
  left: readonly RepairStretch[]
  unsuccessful: readonly UnsuccessfulRun[]
  isDeleted: boolean
}

/** Returns the verdict on a step whose runs and verification have ended. Every run that failed makes the step fail. */
export function judgeStep(
  outcome: StepOutcome,
): Pick<RepairStepRow, 'state' | 'proven' | 'unreadable' | 'problem'> {
  const { windows, left, unsuccessful, isDeleted } = outcome
  const { short: _, ...counts } = countToRepair(left)
  const unexported = counts.missing + counts.failed + counts.skipped
  const failures = [...(isDeleted ? [deletedReason] : []), ...failuresOf(left, unsuccessful, unexported)]
  const unreadable = windows.filter(({ state }) => state === 'unreadable')
  const refuted = windows.filter(({ state }) => state === 'refuted')
  const problems = [
    ...failures,
    refuted.length > 0 &&
      `${windowsAre(refuted.length)} not as written at the destination: ${[...new Set(refuted.flatMap(({ flags }) => flags))].join(', ')}.`,
    unreadable.length > 0 &&
      `${countedWindows(unreadable.length)} cannot be read back: ${listed(unreadable.map(({ problem }) => problem ?? ''))}`,
  ].filter((problem) => typeof problem === 'string')
  const isProven = problems.length === 0
  const hasFailed = failures.length > 0
  return {
    state: !isProven ? (hasFailed ? 'failed' : 'unproven') : windows.length === 0 ? 'unneeded' : 'proven',
    proven: windows.filter(({ state }) => state === 'proven').length,
    unreadable: unreadable.length,
    problem: problems.join(' ') || null,
  }
}

/** Returns the errors of a step that is stopped: those of its own runs that failed until then. */
export function problemOfStopped(
  left: readonly RepairStretch[],
  unsuccessful: readonly UnsuccessfulRun[],
): string | null {
  const own = unsuccessful.filter(({ isOwnFailure }) => isOwnFailure)
  const unexported = countWindows(own.filter((run) => isWithin(run, left, false)))
  return failuresOf(left, own, unexported).join(' ') || null
}

/** Names the errors of runs. The ledger of a window that was exported before has the rows of another run. */
function failuresOf(left: readonly RepairStretch[], runs: readonly UnsuccessfulRun[], unexported: number) {
  const kinds = Map.groupBy(runs, (run) => {
    if (isWithin(run, left, false)) return 'unexported'
    if (!run.isOwnFailure && !isWithin(run, left, true)) return 'irrelevant'
    return run.exportedSince ? 'exportedSince' : 'unexportedAgain'
  })
  const again = kinds.get('unexportedAgain') ?? []
  const since = kinds.get('exportedSince') ?? []
  const [againWindows, sinceWindows] = [countWindows(again), countWindows(since)]
  return [
    unexported > 0 && `${windowsAre(unexported)} not exported: ${errorsOf(kinds.get('unexported') ?? [])}`,
    againWindows > 0 && `${windowsAre(againWindows)} not exported again: ${errorsOf(again)}`,
    sinceWindows > 0 &&
      `${countedWindows(sinceWindows)} failed before ${sinceWindows === 1 ? 'a later run exported it' : 'later runs exported them'}: ${errorsOf(since)}`,
  ].filter((problem) => typeof problem === 'string')
}

/** Counts the windows of runs. */
function countWindows(runs: readonly RunRow[]): number {
  return new Set(runs.map((run) => `${run.data_interval_start.getTime()} ${run.data_interval_end.getTime()}`))
    .size
}

/** Whether a run's window is in a stretch that is short, or in one that was never exported. */
function isWithin(run: RunRow, stretches: readonly RepairStretch[], isShort: boolean): boolean {
  const [start, end] = [run.data_interval_start.getTime(), run.data_interval_end.getTime()]
  return stretches.some(
    (stretch) => (stretch.cause === 'short') === isShort && stretch.start <= start && end <= stretch.end,
  )
}

/** Most texts that a problem lists. */
const listedMax = 3

/** Names each cause once, by its newest error. */
function errorsOf(runs: readonly RunRow[]): string {
  const causes = Map.groupBy(runs, (run) => run.failure_cause ?? run.latest_error)
  const errors = [...causes.values()].map(([newest]) => newest?.latest_error ?? cancelledReason)
  return listed(errors.length > 0 ? errors : [cancelledReason])
}

function listed(texts: readonly string[]): string {
  const distinct = [...new Set(texts.map((text) => (/[.)]$/.test(text) ? text : `${text}.`)))]
  const rest = distinct.length - listedMax
  return `${distinct.slice(0, listedMax).join(' ')}${rest > 0 ? ` And ${rest} more.` : ''}`
}

export function countedWindows(windows: number): string {
  return windows === 1 ? '1 window' : `${windows.toLocaleString('en')} windows`
}

function windowsAre(windows: number): string {
  return `${countedWindows(windows)} ${windows === 1 ? 'is' : 'are'}`
}
