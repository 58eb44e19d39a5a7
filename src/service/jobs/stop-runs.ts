import { runMark } from '../exporter/export-run.ts'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/database.ts'
import type { RunRow } from '../store/runs-list.ts'
import { endRunsInProgress, endBackfillIfDone } from './end-runs.ts'
import { writeLog } from './export-log.ts'

/** Cancels a run and stops its statement; a run that has already ended stays unchanged. */
export async function stopRun(services: Services, run: RunRow): Promise<void> {
  const now = new Date(services.clock.now())
  await services.store.transaction().execute(async (transaction) => {
    const ended = await endRunsInProgress(transaction, 'Cancelled', now, (runs) =>
      runs.where('id', '=', run.id),
    )
    if (ended.length === 0) return
    await endBackfillIfDone(transaction, run.backfill_id, now)
    await writeLog(transaction, {
      batchExportId: run.batch_export_id,
      runId: run.id,
      level: 'WARNING',
      message: 'Cancelled on request.',
      at: now,
    })
  })
  await services.warehouse.kill(runMark(run.id))
}

/** Ends all runs and backfills in progress of an export that is being deleted. */
export async function stopExport(
  services: Services,
  transaction: StoreTransaction,
  exportId: string,
): Promise<void> {
  const now = new Date(services.clock.now())
  const ended = await endRunsInProgress(transaction, 'Terminated', now, (runs) =>
    runs.where('batch_export_id', '=', exportId),
  )
  await transaction
    .updateTable('batch_export_backfills')
    .set({ status: 'Cancelled', finished_at: now, last_updated_at: now })
    .where('batch_export_id', '=', exportId)
    .where('status', 'in', ['Starting', 'Running'])
    .execute()
  const running = ended.filter((run) => run.worker_id !== null)
  await writeLog(
    transaction,
    ...running.map((run) => ({
      batchExportId: exportId,
      runId: run.id,
      level: 'WARNING' as const,
      message: 'Terminated: the batch export was deleted.',
      at: now,
    })),
  )
  // If the deletion rolls back, the runs get another attempt.
  for (const run of running) await services.warehouse.kill(runMark(run.id))
}
