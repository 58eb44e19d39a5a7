import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { LatestRun, RunRow } from '../../store/runs/runs-list.ts'

/** Returns a run as the API shows it. */
export function showRun(run: RunRow | LatestRun): BatchExportRun {
  return {
    id: run.id,
    status: run.status,
    records_completed: run.records_completed,
    latest_error: run.latest_error,
    data_interval_start: showInstant(run.data_interval_start),
    data_interval_end: showInstant(run.data_interval_end),
    cursor: `r${run.id.replaceAll('-', '')}`,
    created_at: showInstant(run.created_at),
    finished_at: run.finished_at && showInstant(run.finished_at),
    last_updated_at: showInstant(run.last_updated_at),
    records_total_count: run.records_total_count,
    batch_export: run.batch_export_id,
    backfill: run.backfill_id,
    bytes_exported: run.bytes_exported,
    attempt: run.attempt,
  }
}

const wholeSecond = 'YYYY-MM-DD HH:MM:SS'.length
const microsecond = wholeSecond + '.123456'.length

/** Formats a UTC instant. PostgreSQL's text omits the fraction's trailing zeros. */
function showInstant(instant: Date | string): string {
  if (typeof instant !== 'string') return formatInstant(instant)
  const text = `${instant.slice(0, 10)}T${instant.slice(11)}`
  return text.length === wholeSecond ? `${text}Z` : `${text.padEnd(microsecond, '0')}Z`
}
