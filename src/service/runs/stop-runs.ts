import { sql } from 'kysely'
import { runMark } from '../exporter/export-run.ts'
import type { Services } from '../services.ts'
import { inTransaction, type StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { endRunsInProgress } from '../store/runs/write-runs.ts'
import { endBackfillIfDone } from './end-runs.ts'
import { logRun, writeLog } from './export-log.ts'

/** Cancels a run and stops its statement; returns the time of cancellation, or null if the run has already ended. */
export async function stopRun(services: Services, run: RunRow): Promise<Date | null> {
  const now = new Date(services.clock.now())
  const ended = await inTransaction(services.store, async (transaction) => {
    const ended = await endRunsInProgress(transaction, 'Cancelled', now, sql`id = ${run.id}`)
    if (ended.length === 0) return ended
    await endBackfillIfDone(transaction, run.backfill_id, now)
    await logRun(transaction, run, 'Cancelled on request.', now, 'WARNING')
    return ended
  })
  for (const one of ended) if (one.worker_id !== null) await services.warehouse.kill(runMark(one))
  return ended.length > 0 ? now : null
}

/** Ends all runs and backfills in progress of an export that is being deleted. */
export async function stopExport(
  services: Services,
  transaction: StoreTransaction,
  exportId: string,
): Promise<void> {
  const now = new Date(services.clock.now())
  const ended = await endRunsInProgress(transaction, 'Terminated', now, sql`batch_export_id = ${exportId}`)
  await transaction
    .updateTable('batch_export_backfills')
    .set({ status: 'Cancelled', finished_at: now, last_updated_at: now })
    .where('batch_export_id', '=', exportId)
    .where('status', 'in', ['Starting', 'Running'])
    .execute()
  const running = ended.filter((run) => run.worker_id !== null)
  await writeLog(
    transaction,
    running.map((run) => ({
      batchExportId: exportId,
      runId: run.id,
      level: 'WARNING' as const,
      message: 'Terminated: the batch export was deleted.',
      at: now,
    })),
  )
  // If the deletion rolls back, the runs get another attempt.
  for (const run of running) await services.warehouse.kill(runMark(run))
}
