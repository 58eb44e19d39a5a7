import { offsetLinks } from '../http/page-links.ts'
import { pageOfBatchExports } from '../store/batch-exports.ts'
import type { ApiRequest } from './handler.ts'
import { showBatchExports } from './show-batch-export.ts'

type Request = ApiRequest<'listBatchExports' | 'listOrganizationBatchExports'>

/** Newest first, of the project or of all projects that the key reaches. */
export async function listBatchExports({ services, projects, query, link }: Request) {
  const projectIds = projects.map((project) => project.id)
  const { count, rows } = await pageOfBatchExports(services.store, projectIds, query)
  return { count, ...offsetLinks(link, query, count), results: await showBatchExports(services.store, rows) }
}
