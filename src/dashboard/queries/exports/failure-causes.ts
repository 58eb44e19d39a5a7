import type { QueryInput } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'
import { live } from '../live.ts'

const hour = 3_600_000

/** Days that the page of failures can show. */
export const failureDays = [1, 7, 30] as const
export const defaultFailureDays = 7

/**
 * Why runs of a project have failed in the last `days`, up to `now` (milliseconds). The period starts at a whole hour, so
 * that requests within an hour share a response. By default, causes that nobody ignores.
 */
export function failureCausesQuery(
  projectId: string,
  days: number,
  now: number,
  filter: CauseFilter = { state: 'open' },
) {
  return failuresSinceQuery(projectId, Math.floor(now / hour) * hour - days * 24 * hour, filter)
}

type CauseFilter = Pick<Partial<QueryInput<'failureCauses'>>, 'state' | 'assignee'>

/** Why runs of a project have failed since a time (milliseconds). */
export function failuresSinceQuery(projectId: string, start: number, filter: CauseFilter = {}) {
  return {
    ...endpointQuery('failureCauses', {
      params: { project_id: projectId },
      query: { start: formatInstant(start), ...filter },
    }),
    placeholderData: keepRowsOf({ project_id: projectId }),
    ...live(() => 'resting'),
  }
}
