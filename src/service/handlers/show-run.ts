import type { BatchExportRun } from '../../contract/batch-export-run.ts'
import { formatInstant } from '../../contract/instant.ts'
import type { RunRow } from '../store/runs-list.ts'

/** A run as the API shows it. */
export function showRun(run: RunRow): BatchExportRun {
  return {
    id: run.id,
    status: run.status,
    records_completed: run.records_completed,
    latest_error: run.latest_error,
    data_interval_start: formatInstant(run.data_interval_start),
    data_interval_end: formatInstant(run.data_interval_end),
    cursor: runCursor(run),
    created_at: formatInstant(run.created_at),
    finished_at: run.finished_at && formatInstant(run.finished_at),
    last_updated_at: formatInstant(run.last_updated_at),
    records_total_count: run.records_total_count,
    batch_export: run.batch_export_id,
    backfill: run.backfill_id,
    bytes_exported: run.bytes_exported,
    attempt: run.attempt,
  }
}

/** Opaque to clients: which run this is and where its data begins. */
function runCursor(run: RunRow): string {
  return Buffer.from(`${run.data_interval_start.getTime()}/${run.id}`).toString('base64url')
}
