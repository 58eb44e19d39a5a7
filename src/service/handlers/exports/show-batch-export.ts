import { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { Services } from '../../services.ts'
import { pageOfBatchExports, type BatchExportRow } from '../../store/runs/batch-exports.ts'
import { latestRuns } from '../../store/runs/runs-list.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { PreparedJson } from '../../http/prepared-json.ts'
import type { ApiRequest } from '../handler.ts'
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
    destination: shownDestination(row),
    hogql_query: row.hogql_query ?? '',
  })
}

export function shownDestination(
  row: Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'integration_id'>,
) {
  return { type: row.destination_type, config: row.destination_config, integration: row.integration_id }
}

const Configuration = BatchExport.omit({ latest_runs: true })

const noRuns = Buffer.from('[]')

type ListRequest = ApiRequest<'listBatchExports' | 'listOrganizationBatchExports'>

/** Lists the exports of the project, or of all projects that the key can access, newest first. */
export async function listBatchExports(request: ListRequest): Promise<PreparedJson> {
  const { services, projects, query, link } = request
  const { store, latestRuns } = services
  const projectIds = projects.map((project) => project.id)
  const { count, rows } = await pageOfBatchExports(store, projectIds, query)
  const [runs, applied] = await Promise.all([
    latestRuns.of(store, rows, showRun),
    appliedFactsOf(
      services,
      rows.filter((row) => row.is_applied),
    ),
  ])
  const results = rows.map((row) => {
    const shown = { ...showConfiguration(row), ...applied.get(row.id) }
    return PreparedJson.of(shown, 'latest_runs', runs.get(row.id) ?? noRuns)
  })
  return PreparedJson.of({ count, ...offsetLinks(link, query, count) }, 'results', results)
}
