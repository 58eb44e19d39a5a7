import { runsMax } from '../engines/clickhouse/clickhouse.ts'
import type { RunTurn } from './waiting-runs.ts'

/** A run that a process is executing; `waits`: for its destination, so that it occupies no worker. */
export type RunningRun = Pick<RunTurn, 'project_id' | 'store' | 'place' | 'urgency'> & { waits: boolean }

/** The runs that a process is executing, and its limits. */
export type Load = {
  running: readonly RunningRun[]
  /** For each project, the sequence number of its latest start among the starts of all projects. */
  lastStarts: ReadonlyMap<number, number>
  workers: number
}

/** Urgency of a run of a backfill, as `waitingRuns` computes it. */
const backfillUrgency = 2

/** Runs of backfills that a process executes at once. */
export function backfillsAtOnce(workers: number): number {
  return Math.max(1, workers - 1)
}

/** Whether a worker is free, and a place for one more run. */
export function hasRoom({ running, workers }: Pick<Load, 'running' | 'workers'>): boolean {
  return running.filter(({ waits }) => !waits).length < workers && running.length < runsMax(workers)
}

/**
 * Returns the run to start next, if any may start. While other runs wait, a bucket at an endpoint uses at most half of the
 * workers, and projects get equal shares. Backfills leave one worker free. Ties go to the project whose latest start is longest
 * ago, then to the most urgent run, then to the oldest. Runs that hang hold up neither other projects nor other stores: those of a
 * project get at most half of the places that others leave, and those to one of its stores a quarter.
 */
export function fairest<R extends RunTurn>(
  waiting: readonly R[],
  { running, lastStarts, workers }: Load,
): R | undefined {
  if (!hasRoom({ running, workers })) return undefined
  const free = runsMax(workers) - running.length
  const leavesPlaces = ({ project_id, store }: R) => {
    const hung = running.filter((run) => run.waits && run.project_id === project_id)
    return hung.length < free && 3 * hung.filter((run) => run.store === store).length < free
  }
  const placeMax = Math.max(1, Math.floor(workers / 2))
  const countOf = (isSame: (run: Load['running'][number]) => boolean) => running.filter(isSame).length
  const rank = (run: R): number[] => [
    run.place !== null && countOf(({ place }) => place === run.place) >= placeMax ? 1 : 0,
    countOf(({ project_id }) => project_id === run.project_id),
    lastStarts.get(run.project_id) ?? 0,
    run.urgency,
    run.created_at.getTime(),
  ]
  const backfills = countOf((run) => run.urgency === backfillUrgency && !run.waits)
  const mayBackfill = backfills < backfillsAtOnce(workers)
  const [first] = waiting
    .filter((run) => (run.urgency < backfillUrgency || mayBackfill) && leavesPlaces(run))
    .map((run) => ({ run, rank: rank(run) }))
    .sort((one, other) => compare(one.rank, other.rank))
  return first?.run
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, at) => value !== other[at])
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0)
}
