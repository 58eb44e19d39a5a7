import type { RunResult } from '../exporter/export-run.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { ledgerSettings, type WrittenWindow } from '../store/windows/ledger.ts'
import type { RunRow } from '../store/runs/runs-list.ts'

/** Returns what the ledger records of a completed run. */
export function writtenWindow(exportRow: BatchExportRow, run: RunRow, result: RunResult): WrittenWindow {
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
  }
}
