import type { Services } from '../services.ts'
import type { BackfillRow } from '../store/runs/backfills-list.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { rowsOf, inTransaction, type StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { findRow } from '../store/schema/rows.ts'
import { readExpectation } from '../store/windows/expectation.ts'
import { windowsOf, windowsToRepair } from '../store/windows/windows-to-repair.ts'
import { exportAgain, lockExport, type SelectedWindow } from './backfill.ts'

/** Creates a run of the same interval that selects rows in the same way, in its own backfill; the old run stays unchanged. */
export async function createRetry(services: Services, exportRow: BatchExportRow, run: RunRow) {
  const start = run.data_interval_start.getTime()
  const end = run.data_interval_end.getTime()
  return await inTransaction(services.store, async (transaction) => {
    const { backfill, runIds } = await exportAgain(services, transaction, exportRow, {
      windows: [{ start, end, selectsBy: run.selects_by }],
      origin: 'retry',
      message: () => `Retry of run ${run.id}.`,
    })
    const [id = ''] = runIds
    const created = await findRow(transaction, 'batch_export_runs', { id })
    if (!created) throw new Error(`the run ${id} was not created`)
    return { run: created, backfill }
  })
}

/**
 * Creates a new run for every failed data interval not covered by a completed run or one in progress; null if there is none.
 * The new run selects rows as the newest failed run did; the old runs stay unchanged.
 */
export async function retryFailed(services: Services, exportRow: BatchExportRow) {
  return await inTransaction(services.store, async (transaction) => {
    await lockExport(transaction, exportRow.id)
    const windows = await failedWindows(transaction, exportRow.id)
    if (windows.length === 0) return null
    const { backfill } = await exportAgain(services, transaction, exportRow, {
      windows,
      origin: 'retry',
      message: (runs) => `Retry of all failed data intervals: ${runs} created.`,
    })
    return backfill
  })
}

/** Exports exactly the windows that the export's last pause skipped; null if there are none. */
export async function fillGap(
  services: Services & { store: StoreTransaction },
  exportRow: BatchExportRow,
): Promise<BackfillRow | null> {
  const { store, clock } = services
  const { pauses } = await readExpectation(store, exportRow, clock.now())
  const { skippedFrom: start, skippedUntil: end } = pauses.at(-1) ?? {}
  if (!start || !end) return null
  const scope = { projectIds: [exportRow.project_id], ids: [exportRow.id] }
  const found = await windowsToRepair(store, scope, { start, end }, clock.now())
  const skipped = (found.get(exportRow.id) ?? []).filter(({ cause }) => cause === 'skipped')
  if (skipped.length === 0) return null
  const { backfill } = await exportAgain(services, store, exportRow, {
    windows: skipped.flatMap(windowsOf).toReversed(),
    origin: 'backfill',
    message: (runs) => `Backfill of the windows that the pause skipped: ${runs} created.`,
  })
  return backfill
}

async function failedWindows(transaction: StoreTransaction, exportId: string): Promise<SelectedWindow[]> {
  // Most runs cover exactly one window; only after a change of the interval does a run cover several.
  return await rowsOf<SelectedWindow>(transaction)`
    WITH runs AS MATERIALIZED (
      SELECT id, created_at, status, selects_by, data_interval_start AS starts, data_interval_end AS ends
      FROM batch_export_runs WHERE batch_export_id = ${exportId}
        AND status IN ('Failed', 'TimedOut', 'Completed', 'Starting', 'Running', 'FailedRetryable')
    ), failed AS (
      SELECT DISTINCT ON (starts, ends) * FROM runs WHERE status IN ('Failed', 'TimedOut')
      ORDER BY starts, ends, created_at DESC, id DESC
    ), covering AS MATERIALIZED (SELECT starts, ends FROM runs WHERE status NOT IN ('Failed', 'TimedOut')
    ), wider AS MATERIALIZED (
      SELECT starts, ends FROM covering WHERE ends - starts > (SELECT min(ends - starts) FROM failed)
    )
    SELECT date_part('epoch', starts) * 1000 AS start, date_part('epoch', ends) * 1000 AS end, selects_by AS "selectsBy" FROM failed
    WHERE NOT EXISTS (SELECT FROM covering WHERE (covering.starts, covering.ends) = (failed.starts, failed.ends))
      AND NOT EXISTS (SELECT FROM wider WHERE wider.starts <= failed.starts AND wider.ends >= failed.ends)
    ORDER BY starts, ends`
}
