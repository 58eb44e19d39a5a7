import { randomUUID } from 'node:crypto'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import { intervalLength, type Interval } from '../../contract/interval.ts'
import { sentOnly } from '../../contract/runs/ledger.ts'
import { exportRun } from '../exporter/export-run.ts'
import type { ExportProgress, RunControl, RunResult } from '../exporter/run-control.ts'
import { explainFailure } from '../exporter/explain-failure.ts'
import { ExportError } from '../problems/export-error.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { ledgerSettings, recordWindow, type WrittenWindow } from '../store/windows/ledger.ts'
import { claimRun, type ClaimedRun } from './claim-run.ts'
import { logRun } from './export-log.ts'
import { finishRun, handBackRun, postponeRun } from './finish-run.ts'
import { storeHeartbeat, storeSentPosition } from '../store/runs/write-runs.ts'
import { killRuns } from './stop-runs.ts'
import { whileCurrent } from './while-current.ts'

export type Worker = {
  /** Claims a run, if possible, and executes one attempt of it. Rejects only if the store fails. */
  work(runId: string, options?: WorkOptions): Promise<void>
  /** Hands back the runs being executed; resolves when all are handed back. */
  stop(): Promise<void>
}

/** Reason for interrupting an attempt; an error fails the attempt. */
type Interruption = 'lost' | 'timeout' | 'stopping' | ExportError

export type WorkOptions = Pick<RunControl, 'onWaiting' | 'unreachable'>

const heartbeatIntervalMs = 1000
const attemptsMax = 5
const delaysSeconds = [5, 15, 60, 180]
const minute = 60_000
/** Time (ms) that the worker waits for a killed statement to stop. */
const killTimeoutMs = 4000

export function openWorker(services: Services): Worker {
  const id = randomUUID()
  /** Claims and attempts in progress. */
  const working = new Set<Promise<void>>()
  const attempts = new Set<AbortController>()
  let stopping = false
  const claimAndPerform = async (runId: string, options: WorkOptions) => {
    const claimed = await claimRun(services, id, runId)
    if (!claimed) return
    const controller = new AbortController()
    attempts.add(controller)
    const attempt = performAttempt(services, claimed, controller, options)
    if (stopping) controller.abort('stopping' satisfies Interruption)
    await attempt.finally(() => attempts.delete(controller))
  }
  return {
    async work(runId, options = {}) {
      if (stopping) return
      const work = claimAndPerform(runId, options)
      working.add(work)
      await work.finally(() => working.delete(work))
    },
    async stop() {
      stopping = true
      for (const controller of attempts) controller.abort('stopping' satisfies Interruption)
      await Promise.allSettled(working)
    },
  }
}

async function performAttempt(
  services: Services,
  claimed: ClaimedRun,
  controller: AbortController,
  options: WorkOptions,
): Promise<void> {
  const { run, exportRow, takenOver } = claimed
  const started = services.clock.now()
  const heartbeat = startHeartbeat(services, claimed, controller)
  try {
    // A ClickHouse that hangs can take longer than the lease, which heartbeats extend.
    if (takenOver) await endOrAbort(killRuns(services, [takenOver]), controller.signal)
    const result = await endOrAbort(
      exportRun(services, exportRow, run, {
        ...options,
        onProgress: heartbeat.report,
        signal: controller.signal,
        whileCurrent: (publish) => whileCurrent(services.store, run, publish),
        keepPosition: (position) => storeSentPosition(services.store, run, position),
        onStall: heartbeat.endStalled,
      }),
      controller.signal,
    )
    await complete(services, claimed, result, started)
  } catch (error) {
    await heartbeat.stop()
    const reason: Interruption | null = controller.signal.aborted ? controller.signal.reason : null
    if (reason === null || reason instanceof ExportError) await fail(services, claimed, reason ?? error)
    else await interrupt(services, claimed, reason)
  } finally {
    await heartbeat.stop()
  }
}

/** Stores a heartbeat and the progress of the run every second; aborts an attempt that is lost or exceeds its time limit. */
function startHeartbeat(services: Services, { run, exportRow }: ClaimedRun, controller: AbortController) {
  let progress: ExportProgress | null = null
  let beating: Promise<void> = Promise.resolve()
  const deadline = services.clock.now() + timeLimit(exportRow.interval)
  const sendHeartbeat = async () => {
    const now = services.clock.now()
    if (now > deadline) controller.abort('timeout' satisfies Interruption)
    const isCurrent = await storeHeartbeat(services.store, run, new Date(now), {
      ...(progress && { records_completed: progress.records, records_total_count: progress.total }),
    })
    if (!isCurrent) controller.abort('lost' satisfies Interruption)
  }
  const timer = setInterval(() => {
    // A single failed heartbeat does no harm; if all fail, another worker takes the run over.
    beating = sendHeartbeat().catch((error: unknown) =>
      services.logger.warn({ err: error, run: run.id }, 'failed to send a heartbeat'),
    )
  }, heartbeatIntervalMs)
  return {
    async report(now: ExportProgress) {
      const isFirst = progress === null
      progress = now
      if (!isFirst || now.total === 0) return
      await logRun(services.store, run, `${count(now.total)} to export.`, new Date(services.clock.now()))
    },
    /** Ends an attempt that makes no progress; one that has also exceeded its time limit times out. */
    endStalled(error: ExportError) {
      const reason: Interruption = services.clock.now() > deadline ? 'timeout' : error
      controller.abort(reason)
    },
    async stop() {
      clearInterval(timer)
      await beating
    },
  }
}

/** Returns the time (ms) that an attempt may take: the length of its interval, within bounds. */
function timeLimit(interval: Interval): number {
  return Math.min(Math.max(intervalLength(interval), 10 * minute), 12 * 60 * minute)
}

/** Waits for the export; after an abort, for at most `killTimeoutMs`. */
async function endOrAbort<T>(exported: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const giveUp = () => void setTimeout(() => aborted.reject(signal.reason), killTimeoutMs).unref()
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([exported, aborted.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

async function complete(
  services: Services,
  { run, exportRow }: ClaimedRun,
  result: RunResult,
  started: number,
): Promise<void> {
  const now = new Date(services.clock.now())
  await services.store.transaction().execute(async (transaction) => {
    const ended = await finishRun(services, transaction, run, {
      status: 'Completed',
      records_completed: result.records,
      records_total_count: result.total,
      bytes_exported: result.bytes,
      files: result.files,
    })
    if (!ended) return
    const message =
      result.total === 0
        ? `Completed: no records in this interval${result.table === undefined ? ', so no file' : ''}.`
        : summary(result, now.getTime() - started)
    await logRun(transaction, run, message, now)
    await recordWindow(transaction, writtenWindow(exportRow, run, result))
    for (const message of warnings(result)) await logRun(transaction, run, message, now, 'WARNING')
  })
}

/** Returns what the ledger records of a completed run. */
export function writtenWindow(exportRow: BatchExportRow, run: RunRow, result: RunResult) {
  return {
    batch_export_id: exportRow.id,
    data_interval_start: run.data_interval_start,
    data_interval_end: run.data_interval_end,
    run_id: run.id,
    selects_by: run.selects_by,
    taken_until: new Date(result.takenUntil),
    settings: ledgerSettings(exportRow),
    rows_expected: result.total,
    rows_written: result.records,
    objects: result.objects,
    written_at: new Date(result.writtenAt),
    problem: destinationKinds[exportRow.destination_type].holds === 'requests' ? sentOnly : null,
  } satisfies WrittenWindow
}

function* warnings({ leftovers: [leftover] = [], deleted = 0, notes = [] }: RunResult): Generator<string> {
  yield* notes
  if (deleted > 0)
    yield `Left out the blocks of ${deleted.toLocaleString('en')} ${deleted === 1 ? 'recording' : 'recordings'} that had been deleted.`
  if (leftover !== undefined)
    yield `The run could not delete the temporary object ${leftover}: allow the credentials to delete objects, then delete the object.`
}

function summary({ files, table, records, bytes }: RunResult, duration: number): string {
  const seconds = Math.max(duration, 1) / 1000
  const [first = '', ...others] = files
  const where = table ?? (others.length === 0 ? first : `${files.length} files, ${first} to ${files.at(-1)}`)
  const rate = Math.round(records / seconds).toLocaleString('en')
  return `Completed: wrote ${table === undefined ? '' : 'to '}${where} (${count(records)}, ${size(bytes)}, ${seconds.toFixed(1)} s, ${rate} records/s).`
}

async function interrupt(
  services: Services,
  { run, exportRow }: ClaimedRun,
  reason: Exclude<Interruption, ExportError>,
): Promise<void> {
  // The run has been ended, or belongs to another worker.
  if (reason === 'lost') return
  await services.store.transaction().execute(async (transaction) => {
    if (reason === 'stopping') return await handBackRun(services, transaction, run)
    const minutes = Math.round(timeLimit(exportRow.interval) / minute)
    const message = `The run exceeded its limit of ${minutes} minutes, which depends on the export's interval.`
    await finishRun(services, transaction, run, { status: 'TimedOut', latest_error: message })
  })
}

async function fail(services: Services, { run, exportRow }: ClaimedRun, error: unknown): Promise<void> {
  const { permanent, message } = await explainFailure(services, exportRow, error)
  await services.store.transaction().execute(async (transaction) => {
    const delay = delaysSeconds[run.attempt - 1] ?? delaysSeconds.at(-1) ?? 0
    if (permanent || run.attempt >= attemptsMax)
      await finishRun(services, transaction, run, { status: 'Failed', latest_error: message })
    else await postponeRun(services, transaction, run, message, delay)
  })
}

function count(records: number): string {
  return records === 1 ? '1 record' : `${records.toLocaleString('en')} records`
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
