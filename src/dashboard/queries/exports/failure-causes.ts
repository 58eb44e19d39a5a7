import { formatInstant } from '../../../contract/instant.ts'
import { endpointQuery } from '../endpoint-query.ts'
import { live } from '../live.ts'

/** Why runs of a project have failed since `start` (milliseconds). */
export function failureCausesQuery(projectId: string, start: number) {
  return {
    ...endpointQuery('failureCauses', {
      params: { project_id: projectId },
      query: { start: formatInstant(start) },
    }),
    ...live(() => 'resting'),
  }
}
