import type { QueryProgress } from '../engines/clickhouse/clickhouse.ts'
import type { Services } from '../services.ts'
import { ExportError } from '../problems/export-error.ts'
import type { RunControl } from './run-control.ts'

export type RunWatch = {
  /** Executes a statement of the run and, if it has the run's mark, watches its progress. Several may overlap. */
  during<T>(statement: () => Promise<T>): Promise<T>
  stop(): void
}

type Watched = {
  mark: string
  /** Where the run writes, for messages. */
  place: string
  /** Bytes that the service itself has sent to the destination; null while the engine writes or sends them. */
  sentBytes?: () => number | null
  /** Time (ms) without progress that the destination may take between its statements; null while rows are sent. */
  completionLimitMs?: () => number | null
  /** Whether the run is busy with work other than its statement, such as counting its rows. */
  isOtherwiseBusy?(): boolean
  onProgress(progress: QueryProgress): void
  /** What is told when the run waits. */
  control: Pick<RunControl, 'onWaiting' | 'onStall'>
}

const intervalMs = 1000
/** Time (ms) without progress after which a run counts as waiting for its destination. */
const waitingAfterMs = 5000
/** Time (ms) without progress after which an attempt ends; longer while the store completes an upload. */
const stallLimitMs = 15_000
const completionLimitMs = 60_000
/** Time (ms) after a failed request during which the engine repeats what it had sent, which is not progress. */
const repeatMs = 3000
/** CPU time (µs) that counts as progress: even a waiting statement uses a little. */
const cpuStep = 500_000

/**
 * Watches a run while it writes. Time limits on single requests are not enough: a statement can run for hours while the
 * store accepts nothing.
 */
export function watchRun(
  { clock, warehouse }: Pick<Services, 'clock' | 'warehouse'>,
  run: Watched,
): RunWatch {
  let active = clock.now()
  let failed = -repeatMs
  let last: QueryProgress | null = null
  let executing = 0
  let waits = false

  const hasProgressed = (now: QueryProgress): boolean => {
    if (now.failedRequests > (last?.failedRequests ?? 0)) failed = clock.now()
    if (last === null) return false
    const repeats = clock.now() - failed < repeatMs
    return (
      now.readRows > last.readRows ||
      now.writtenRows > last.writtenRows ||
      Math.floor(now.cpuMicroseconds / cpuStep) > Math.floor(last.cpuMicroseconds / cpuStep) ||
      (now.bytes > last.bytes && !repeats)
    )
  }

  const observe = async () => {
    const executes = executing > 0
    const progress = executes ? await progressOf(run, warehouse) : null
    if (progress) run.onProgress(progress)
    // A statement without progress has not started yet.
    if (run.isOtherwiseBusy?.() || (executes && !progress) || (progress && hasProgressed(progress)))
      active = clock.now()
    last = progress
    const idleMs = clock.now() - active
    if (idleMs >= waitingAfterMs !== waits) run.control.onWaiting?.((waits = !waits))
    const completes = progress !== null && progress.completions > 0
    const limitMs = run.completionLimitMs?.() ?? (completes ? completionLimitMs : stallLimitMs)
    if (executes && idleMs >= limitMs) run.control.onStall?.(stallError(run.place, completes, limitMs))
  }

  // If an observation fails, the next one follows in a second.
  const timer = setInterval(() => void observe().catch(() => undefined), intervalMs)
  return {
    async during(statement) {
      executing += 1
      active = clock.now()
      return await statement().finally(() => {
        executing -= 1
        active = clock.now()
      })
    },
    stop() {
      clearInterval(timer)
      if (waits) run.control.onWaiting?.(false)
    },
  }
}

const noProgress: QueryProgress = {
  readRows: 0,
  totalRows: 0,
  writtenRows: 0,
  bytes: 0,
  cpuMicroseconds: 0,
  failedRequests: 0,
  completions: 0,
}

/** Returns the progress of the run's statement; of a destination to which the service itself sends, also between statements. */
async function progressOf({ mark, sentBytes }: Watched, warehouse: Services['warehouse']) {
  const progress = await warehouse.progress(mark)
  const bytes = sentBytes?.() ?? null
  return bytes === null ? progress : { ...(progress ?? noProgress), bytes }
}

function stallError(place: string, completes: boolean, limitMs: number): ExportError {
  const seconds = limitMs / 1000
  const what = completes
    ? `${place} has not completed the upload within ${seconds} seconds`
    : `Nothing was read, written or sent to ${place} for ${seconds} seconds`
  return new ExportError(
    `${what}: check that the destination works and that the network to it is not blocked.`,
    false,
  )
}
