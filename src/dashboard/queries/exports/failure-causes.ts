import { formatInstant } from '../../../contract/instant.ts'
import { endpointQuery } from '../endpoint-query.ts'
import { live } from '../live.ts'

const hour = 3_600_000

/** Days that the page of failures can show. */
export const failureDays = [1, 7, 30] as const
export const defaultFailureDays = 7

/**
 * Why runs of a project have failed in the last `days`, up to `now` (milliseconds). The period starts at a whole hour, so
 * that requests within an hour share a response.
 */
export function failureCausesQuery(projectId: string, days: number, now: number) {
  return failuresSinceQuery(projectId, Math.floor(now / hour) * hour - days * 24 * hour)
}

/** Why runs of a project have failed since a time (milliseconds). */
export function failuresSinceQuery(projectId: string, start: number) {
  return {
    ...endpointQuery('failureCauses', {
      params: { project_id: projectId },
      query: { start: formatInstant(start) },
    }),
    ...live(() => 'resting'),
  }
}
