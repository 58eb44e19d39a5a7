import { sql } from 'kysely'
import { runMarks } from '../exporter/run-control.ts'
import type { Services } from '../services.ts'
import { afterCommit, inTransaction, type StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { updateRows } from '../store/schema/rows.ts'
import { endRunsInProgress } from '../store/runs/write-runs.ts'
import { endBackfillIfDone } from './end-runs.ts'
import { logRun, logRuns } from './export-log.ts'

/** Cancels a run and has its statement stopped; returns the time of cancellation, or null if the run has already ended. */
export async function stopRun(services: Services, run: RunRow): Promise<Date | null> {
  const now = new Date(services.clock.now())
  return await inTransaction(services.store, async (transaction) => {
    const ended = await endRunsInProgress(transaction, 'Cancelled', now, sql`id = ${run.id}`)
    if (ended.length === 0) return null
    await endBackfillIfDone(transaction, run.backfill_id, now)
    await logRun(transaction, run, 'Cancelled on request.', now, 'WARNING')
    killAfterCommit(services, transaction, ended)
    return now
  })
}

/** Ends all runs and backfills in progress of an export that is being deleted. */
export async function stopExport(
  services: Services,
  transaction: StoreTransaction,
  id: string,
): Promise<void> {
  const now = new Date(services.clock.now())
  const ended = await endRunsInProgress(transaction, 'Terminated', now, sql`batch_export_id = ${id}`)
  await cancelBackfills(transaction, { batch_export_id: id }, now)
  const running = ended.filter((run) => run.worker_id !== null)
  await logRuns(transaction, running, 'Terminated: the batch export was deleted.', now, 'WARNING')
  killAfterCommit(services, transaction, running)
}

/** Asks ClickHouse to stop the statements of ended runs, once their end is committed: it may take long to answer. */
export function killAfterCommit(
  services: Services,
  transaction: StoreTransaction,
  ended: readonly RunRow[],
): void {
  afterCommit(transaction, () => killRuns(services, ended))
}

/** Cancels those of these backfills that are in progress. */
export async function cancelBackfills(
  transaction: StoreTransaction,
  of: { id: string } | { batch_export_id: string },
  now: Date,
): Promise<void> {
  const cancelled = { status: 'Cancelled', finished_at: now, last_updated_at: now } as const
  await updateRows(
    transaction,
    'batch_export_backfills',
    { ...of, status: ['Starting', 'Running'] },
    cancelled,
  )
}

/**
 * Asks ClickHouse to stop the statements of those of these runs that a worker was executing. If it cannot be asked, they go on
 * until the worker notices at its next heartbeat: an attempt that is not current publishes no files of rows and no tables.
 */
export async function killRuns(
  { warehouse, logger }: Pick<Services, 'warehouse' | 'logger'>,
  runs: readonly RunRow[],
): Promise<void> {
  const attempted = runs.filter((run) => run.worker_id !== null)
  const results = await Promise.allSettled(attempted.flatMap(runMarks).map((mark) => warehouse.kill(mark)))
  const failed = results.find((result) => result.status === 'rejected')
  if (!failed) return
  const ids = attempted.map(({ id }) => id)
  logger.warn({ err: failed.reason as unknown, runs: ids }, 'failed to stop statements of runs')
}
