import type { ResponseOf } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { endpointQuery } from '../endpoint-query.ts'
import { live, paceOf } from '../live.ts'

/** Whether everything in a project is fine; with `since` (milliseconds), what changed after that time. */
export function healthQuery(projectId: string, since: number | null) {
  return {
    ...endpointQuery('healthOfProject', {
      params: { project_id: projectId },
      query: since === null ? {} : { since: formatInstant(since) },
    }),
    ...live(({ exports, running, capture }: ResponseOf<'healthOfProject'>) =>
      paceOf(
        running.runs > 0 ||
          running.backfills.length > 0 ||
          exports.total === 0 ||
          capture?.last_event === null ||
          capture?.last_recording === null,
      ),
    ),
  }
}
