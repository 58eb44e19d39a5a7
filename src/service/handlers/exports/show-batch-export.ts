import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { latestRuns } from '../../store/runs/runs-list.ts'
import { labelsOf } from './export-labels.ts'
import { appliedFactsOf } from './drift.ts'
import { showRun } from '../runs/show-run.ts'

/** Returns a batch export as the API shows it, with its newest runs. */
export async function showBatchExport(
  { services }: { services: Services },
  row: BatchExportRow,
): Promise<BatchExport> {
  const [runs, applied] = await Promise.all([
    latestRuns(services.store, [row.id]),
    appliedFactsOf(services, [row]),
  ])
  return {
    ...showConfiguration(row),
    ...applied.get(row.id),
    latest_runs: (runs.get(row.id) ?? []).map(showRun),
  }
}

/** Returns a batch export as the API shows it, without its newest runs. */
export function showConfiguration(row: BatchExportRow): Omit<BatchExport, 'latest_runs'> {
  return {
    id: row.id,
    team_id: row.project_id,
    name: row.name,
    model: row.model,
    destination: { type: row.destination_type, config: row.destination_config },
    interval: row.interval,
    paused: row.paused,
    created_at: formatInstant(row.created_at),
    last_updated_at: formatInstant(row.last_updated_at),
    last_paused_at: row.last_paused_at && formatInstant(row.last_paused_at),
    paused_because: row.paused_because,
    pause_reason: row.pause_reason,
    paused_until: row.paused_until && formatInstant(row.paused_until),
    start_at: row.start_at && formatInstant(row.start_at),
    end_at: row.end_at && formatInstant(row.end_at),
    hogql_query: row.hogql_query ?? '',
    schema: row.schema,
    ...labelsOf(row),
  }
}
