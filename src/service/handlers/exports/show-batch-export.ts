import { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { latestRuns } from '../../store/runs/runs-list.ts'
import { appliedFactsOf } from './drift.ts'
import { showRun } from '../runs/show-run.ts'
import { shownAs } from '../shown-as.ts'

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
  return shownAs(Configuration, {
    ...row,
    team_id: row.project_id,
    destination: { type: row.destination_type, config: row.destination_config },
    hogql_query: row.hogql_query ?? '',
  })
}

const Configuration = BatchExport.omit({ latest_runs: true })
