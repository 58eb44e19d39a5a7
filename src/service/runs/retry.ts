import type { Services } from '../services.ts'
import type { BackfillRow } from '../store/runs/backfills-list.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { inTransaction } from '../store/schema/database.ts'
import { findRun, type RunRow } from '../store/runs/runs-list.ts'
import { addBackfill } from './backfill.ts'
import { createRuns } from './create-runs.ts'
import { writeLog } from './export-log.ts'

/** Creates a run of the same interval that selects rows in the same way, in its own backfill; the old run stays unchanged. */
export async function createRetry(
  services: Services,
  exportRow: BatchExportRow,
  run: RunRow,
): Promise<{ run: RunRow; backfill: BackfillRow }> {
  const window = { start: run.data_interval_start.getTime(), end: run.data_interval_end.getTime() }
  return await inTransaction(services.store, async (transaction) => {
    const backfill = await addBackfill(services, transaction, exportRow, window, 1)
    const [id = ''] = await createRuns(services, transaction, {
      export: exportRow,
      backfillId: backfill.id,
      origin: 'retry',
      selectsBy: run.selects_by,
      windows: [window],
    })
    const created = await findRun(transaction, exportRow.id, id)
    if (!created) throw new Error(`the run ${id} was not created`)
    await writeLog(transaction, {
      batchExportId: exportRow.id,
      runId: id,
      level: 'INFO',
      message: `Retry of run ${run.id}.`,
      at: created.created_at,
    })
    return { run: created, backfill }
  })
}
