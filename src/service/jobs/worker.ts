import { randomUUID } from 'node:crypto'
import { intervalLength, type Interval } from '../../contract/interval.ts'
import {
  explainFailure,
  exportRun,
  runMark,
  type ExportProgress,
  type RunResult,
} from '../exporter/export-run.ts'
import type { Services } from '../services.ts'
import { claimRun, type ClaimedRun } from './claim-run.ts'
import { writeLog } from './export-log.ts'
import { finishRun, handBackRun, postponeRun, updateAttempt } from './finish-run.ts'

export type Worker = {
  /** Works on a run, if it is to be worked on, until it has ended or waits again. Rejects only when the store fails. */
  work(runId: string): Promise<void>
  /** Hands back the runs it works on; resolves when they are. */
  stop(): Promise<void>
}

/** Why an attempt is broken off. */
type Interruption = 'lost' | 'overtime' | 'stopping'

const heartbeatPeriod = 1000
const attemptsMax = 5
const delaysSeconds = [5, 15, 60, 180]
const minute = 60_000
/** A statement that does not stop when it is killed must not hold up the worker. */
const killPatience = 4000

export function openWorker(services: Services): Worker {
  const id = randomUUID()
  const running = new Map<AbortController, Promise<void>>()
  let stopping = false
  return {
    async work(runId) {
      if (stopping) return
      const claimed = await claimRun(services, id, runId)
      if (!claimed) return
      const controller = new AbortController()
      const attempt = makeAttempt(services, claimed, controller)
      running.set(controller, attempt)
      if (stopping) controller.abort('stopping' satisfies Interruption)
      await attempt.finally(() => running.delete(controller))
    },
    async stop() {
      stopping = true
      for (const controller of running.keys()) controller.abort('stopping' satisfies Interruption)
      await Promise.allSettled(running.values())
    },
  }
}

async function makeAttempt(
  services: Services,
  claimed: ClaimedRun,
  controller: AbortController,
): Promise<void> {
  const { run, exportRow, takenOver } = claimed
  if (takenOver) await services.warehouse.kill(runMark(run.id))
  const started = services.clock.now()
  const pulse = startPulse(services, claimed, controller)
  try {
    const result = await endOrAbort(
      exportRun(services, exportRow, run, { onProgress: pulse.report, signal: controller.signal }),
      controller.signal,
    )
    await complete(services, claimed, result, services.clock.now() - started)
  } catch (error) {
    await pulse.stop()
    if (controller.signal.aborted) await interrupt(services, claimed, controller.signal.reason)
    else await fail(services, claimed, error)
  } finally {
    await pulse.stop()
  }
}

/** The heartbeat: says each second that the run is worked on and how far it is, and breaks it off when it should not go on. */
function startPulse(services: Services, { run, exportRow }: ClaimedRun, controller: AbortController) {
  let progress: ExportProgress | null = null
  let beating: Promise<void> = Promise.resolve()
  const deadline = services.clock.now() + timeLimit(exportRow.interval)
  const beat = async () => {
    const now = services.clock.now()
    if (now > deadline) controller.abort('overtime' satisfies Interruption)
    const at = new Date(now)
    const mine = await updateAttempt(services.store, run, {
      heartbeat_at: at,
      last_updated_at: at,
      ...(progress && { records_completed: progress.records, records_total_count: progress.total }),
    })
    if (!mine) controller.abort('lost' satisfies Interruption)
  }
  const timer = setInterval(() => {
    // A heartbeat that fails is followed by the next; without any the run is taken over.
    beating = beat().catch((error: unknown) =>
      services.logger.warn({ err: error, run: run.id }, 'a heartbeat failed'),
    )
  }, heartbeatPeriod)
  return {
    async report(now: ExportProgress) {
      const isFirst = progress === null
      progress = now
      if (!isFirst || now.total === 0) return
      await logStep(services, run, `${count(now.total)} to export.`)
    },
    async stop() {
      clearInterval(timer)
      await beating
    },
  }
}

/** How long (milliseconds) an attempt may take: as long as its interval, within bounds. */
function timeLimit(interval: Interval): number {
  return Math.min(Math.max(intervalLength(interval), 10 * minute), 12 * 60 * minute)
}

/** Waits for the export; after an abort only so long as a killed statement takes to stop. */
async function endOrAbort<T>(exported: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const giveUp = () => void setTimeout(() => aborted.reject(signal.reason), killPatience).unref()
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([exported, aborted.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

async function complete(
  services: Services,
  { run }: ClaimedRun,
  result: RunResult,
  duration: number,
): Promise<void> {
  await services.store.transaction().execute(async (transaction) => {
    const ended = await finishRun(services, transaction, run, {
      status: 'Completed',
      records_completed: result.records,
      records_total_count: result.total,
      bytes_exported: result.bytes,
      files: result.files,
    })
    if (!ended) return
    await writeLog(transaction, {
      batchExportId: run.batch_export_id,
      runId: run.id,
      level: 'INFO',
      message:
        result.total === 0
          ? 'Completed: no records in this interval, so no file.'
          : summary(result, duration),
      at: new Date(services.clock.now()),
    })
  })
}

function summary({ files, records, bytes }: RunResult, duration: number): string {
  const seconds = Math.max(duration, 1) / 1000
  const where =
    files.length === 1 ? (files[0] ?? '') : `${files.length} files, ${files[0]} to ${files.at(-1)}`
  const rate = Math.round(records / seconds).toLocaleString('en')
  return `Completed: wrote ${where} (${count(records)}, ${size(bytes)}, ${seconds.toFixed(1)} s, ${rate} records/s).`
}

async function interrupt(
  services: Services,
  { run, exportRow }: ClaimedRun,
  why: Interruption,
): Promise<void> {
  // A run that is not this worker's any more has been ended, or is another's.
  if (why === 'lost') return
  await services.store.transaction().execute(async (transaction) => {
    if (why === 'stopping') return void (await handBackRun(services, transaction, run))
    const minutes = Math.round(timeLimit(exportRow.interval) / minute)
    const reason = `The run took longer than the ${minutes} minutes that an export of this interval has.`
    await finishRun(services, transaction, run, { status: 'TimedOut', latest_error: reason })
  })
}

async function fail(services: Services, { run, exportRow }: ClaimedRun, error: unknown): Promise<void> {
  const { permanent, message } = explainFailure(services, exportRow, error)
  await services.store.transaction().execute(async (transaction) => {
    const delay = delaysSeconds[run.attempt - 1] ?? delaysSeconds.at(-1) ?? 0
    if (permanent || run.attempt >= attemptsMax)
      await finishRun(services, transaction, run, { status: 'Failed', latest_error: message })
    else await postponeRun(services, transaction, run, message, delay)
  })
}

async function logStep(services: Services, run: ClaimedRun['run'], message: string): Promise<void> {
  const at = new Date(services.clock.now())
  await writeLog(services.store, {
    batchExportId: run.batch_export_id,
    runId: run.id,
    level: 'INFO',
    message,
    at,
  })
}

function count(records: number): string {
  return records === 1 ? '1 record' : `${records.toLocaleString('en')} records`
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
