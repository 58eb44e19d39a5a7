import { sql } from 'kysely'
import type { Window } from '../../contract/interval.ts'
import type { Services } from '../services.ts'
import type { BackfillRow } from '../store/runs/backfills-list.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { inTransaction, type StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { addBackfill, lockExport } from './backfill.ts'
import { createRuns } from './create-runs.ts'
import { writeLog } from './export-log.ts'

type FailedWindow = Window & Pick<RunRow, 'selects_by'>

/**
 * Creates a new run for every failed data interval not covered by a completed run or one in progress. The new run selects
 * rows as the newest failed run did; the old runs stay unchanged.
 */
export async function retryFailed(
  services: Services,
  exportRow: BatchExportRow,
): Promise<{ retried: number; backfill: BackfillRow | null }> {
  return await inTransaction(services.store, async (transaction) => {
    await lockExport(transaction, exportRow.id)
    const windows = await failedWindows(transaction, exportRow.id)
    const [first] = windows
    if (!first) return { retried: 0, backfill: null }
    const range = { start: first.start, end: windows.reduce((end, window) => Math.max(end, window.end), 0) }
    const backfill = await addBackfill(services, transaction, exportRow, range, windows.length)
    for (const [selectsBy, group] of Map.groupBy(windows, (window) => window.selects_by))
      await createRuns(services, transaction, {
        export: exportRow,
        backfillId: backfill.id,
        origin: 'retry',
        selectsBy,
        windows: group,
      })
    await writeLog(transaction, {
      batchExportId: exportRow.id,
      runId: null,
      level: 'INFO',
      message: `Retry of all failed data intervals: ${windows.length === 1 ? '1 run' : `${windows.length.toLocaleString('en')} runs`} created.`,
      at: backfill.created_at,
    })
    return { retried: windows.length, backfill }
  })
}

async function failedWindows(transaction: StoreTransaction, exportId: string): Promise<FailedWindow[]> {
  // Most runs cover exactly one window; only after a change of the interval does a run cover several.
  const { rows } = await sql<FailedWindow>`
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
    SELECT date_part('epoch', starts) * 1000 AS start, date_part('epoch', ends) * 1000 AS end, selects_by FROM failed
    WHERE NOT EXISTS (SELECT FROM covering WHERE (covering.starts, covering.ends) = (failed.starts, failed.ends))
      AND NOT EXISTS (SELECT FROM wider WHERE wider.starts <= failed.starts AND wider.ends >= failed.ends)
    ORDER BY starts, ends`.execute(transaction)
  return rows
}
