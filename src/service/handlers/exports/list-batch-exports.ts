import { PreparedJson } from '../../http/prepared-json.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { pageOfBatchExports } from '../../store/runs/batch-exports.ts'
import type { ApiRequest } from '../handler.ts'
import { appliedFactsOf } from './drift.ts'
import { showConfiguration } from './show-batch-export.ts'
import { showRun } from '../runs/show-run.ts'

type Request = ApiRequest<'listBatchExports' | 'listOrganizationBatchExports'>

/** Lists the exports of the project, or of all projects that the key can access, newest first. */
export async function listBatchExports(request: Request): Promise<PreparedJson> {
  const { services, projects, query, link } = request
  const { store, latestRuns } = services
  const projectIds = projects.map((project) => project.id)
  const { count, rows } = await pageOfBatchExports(store, projectIds, query)
  const [runs, applied] = await Promise.all([
    latestRuns.of(store, rows, showRun),
    appliedFactsOf(services, rows),
  ])
  const results = rows.map((row) =>
    PreparedJson.of(
      { ...showConfiguration(row), ...applied.get(row.id) },
      'latest_runs',
      runs.get(row.id) ?? '[]',
    ),
  )
  return PreparedJson.of({ count, ...offsetLinks(link, query, count) }, 'results', results)
}
