import { sql } from 'kysely'
import { formatOffsetInstant } from '../../contract/instant.ts'
import { windowsBetween, type Window } from '../../contract/interval.ts'
import type { Services } from '../services.ts'
import type { BackfillRow } from '../store/runs/backfills-list.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { inTransaction, rowsOf, type StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { readExpectation, selectionOf } from '../store/windows/expectation.ts'
import { newId } from '../store/schema/identifier.ts'
import { insertRow } from '../store/schema/rows.ts'
import { endRunsInProgress, insertRuns } from '../store/runs/write-runs.ts'
import { logExport, logRun } from './export-log.ts'
import { cancelBackfills, killAfterCommit } from './stop-runs.ts'

/** A window to export again, and how its run selects rows. */
export type SelectedWindow = Window & { selectsBy: RunRow['selects_by'] }

type Again = {
  /** At least one; runs are created in this order. */
  windows: readonly SelectedWindow[]
  origin: 'backfill' | 'retry'
  /** Line for the export's log; `runs` is their number in words. */
  message: (runs: string) => string
}

/** Exports windows again: creates a backfill with a run for each window. The only way to do so; files are replaced. */
export async function exportAgain(
  services: Services,
  transaction: StoreTransaction,
  exportRow: Pick<BatchExportRow, 'id' | 'project_id'>,
  { windows, origin, message }: Again,
): Promise<{ backfill: BackfillRow; runIds: string[] }> {
  const range = {
    start: windows.reduce((start, window) => Math.min(start, window.start), Infinity),
    end: windows.reduce((end, window) => Math.max(end, window.end), -Infinity),
  }
  const backfill = await addBackfill(services, transaction, exportRow, range, windows.length)
  const runIds: string[] = []
  for (const [selectsBy, group] of Map.groupBy(windows, (window) => window.selectsBy)) {
    const runs = { export: exportRow, backfillId: backfill.id, origin, selectsBy, windows: group }
    runIds.push(...(await insertRuns(transaction, runs, services.clock.now())))
  }
  // The line of a single retry is also in the log of its run.
  const id = origin === 'retry' && windows.length === 1 ? (runIds[0] ?? null) : null
  const runs = windows.length === 1 ? '1 run' : `${windows.length.toLocaleString('en')} runs`
  await logRun(transaction, { id, batch_export_id: exportRow.id }, message(runs), backfill.created_at)
  return { backfill, runIds }
}

/**
 * Creates a backfill of a range of whole windows (from `backfillRange`), or of some of its windows. Windows of the schedule
 * select rows by arrival, earlier ones by the event's time. Returns the reason instead while the same is in progress.
 */
export async function createBackfill(
  services: Services,
  exportRow: BatchExportRow,
  range: Window,
  some: readonly Window[] | null = null,
): Promise<{ ok: true; backfill: BackfillRow } | { ok: false; reason: string }> {
  const windows = some ?? windowsBetween(exportRow.interval, range.start, range.end)
  return await inTransaction(services.store, async (transaction) => {
    await lockExport(transaction, exportRow.id)
    const [same] = await rowsOf<Pick<BackfillRow, 'workflow_id'>>(transaction)`
      SELECT workflow_id FROM batch_export_backfills backfill
      WHERE batch_export_id = ${exportRow.id} AND start_at = ${new Date(range.start)}
        AND end_at = ${new Date(range.end)} AND status IN ('Starting', 'Running') AND total_runs = ${windows.length}
        AND NOT EXISTS (SELECT FROM batch_export_runs WHERE backfill_id = backfill.id
          AND data_interval_start <> ALL (${windows.map((window) => new Date(window.start))}::timestamptz[]))`
    if (same) {
      const reason = `The backfill ${same.workflow_id} of the same range is still in progress.`
      return { ok: false as const, reason }
    }
    const expectation = await readExpectation(transaction, exportRow, services.clock.now())
    const [start, end] = [formatOffsetInstant(range.start), formatOffsetInstant(range.end)]
    const { backfill } = await exportAgain(services, transaction, exportRow, {
      windows: windows.map((window) => ({ ...window, selectsBy: selectionOf(window, expectation) })),
      origin: 'backfill',
      message: (runs) => `Backfill of ${start} to ${end} created: ${runs}.`,
    })
    return { ok: true as const, backfill }
  })
}

/** Serialises changes to an export until the transaction ends; its runs and logs can still be inserted. */
export async function lockExport(transaction: StoreTransaction, id: string): Promise<void> {
  await transaction.selectFrom('batch_exports').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

async function addBackfill(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  exportRow: Pick<BatchExportRow, 'id' | 'project_id'>,
  range: Window,
  runs: number,
): Promise<BackfillRow> {
  const now = clock.now()
  const [start, end] = [formatOffsetInstant(range.start), formatOffsetInstant(range.end)]
  return await insertRow(transaction, 'batch_export_backfills', {
    id: newId(now),
    workflow_id: `${exportRow.id}-Backfill-${start}-${end}`,
    batch_export_id: exportRow.id,
    project_id: exportRow.project_id,
    start_at: new Date(range.start),
    end_at: new Date(range.end),
    total_runs: runs,
    status: 'Starting',
    created_at: new Date(now),
    finished_at: null,
    last_updated_at: new Date(now),
  })
}

/** Cancels a backfill and its runs in progress; files already written remain. */
export async function stopBackfill(services: Services, backfill: BackfillRow): Promise<void> {
  const now = new Date(services.clock.now())
  await inTransaction(services.store, async (transaction) => {
    const ended = await endRunsInProgress(transaction, 'Cancelled', now, sql`backfill_id = ${backfill.id}`)
    await cancelBackfills(transaction, { id: backfill.id }, now)
    const message = `Backfill ${backfill.workflow_id} cancelled, along with ${ended.length.toLocaleString('en')} of its runs.`
    await logExport(transaction, backfill.batch_export_id, message, now)
    killAfterCommit(services, transaction, ended)
  })
}
