import { endpointQuery } from '../endpoint-query.ts'
import { live } from '../live.ts'

/** The first files that a run wrote; refreshed before the addresses of downloads expire. */
export function runFilesQuery(projectId: string, id: string, limit: number) {
  return {
    ...endpointQuery('filesOfRun', { params: { project_id: projectId, id }, query: { limit } }),
    ...live(() => 'resting'),
  }
}
