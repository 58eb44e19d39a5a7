import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Coverage } from '../../contract/coverage.ts'
import { formatInstant } from '../../contract/instant.ts'
import type { Window } from '../../contract/interval.ts'
import { call } from '../api/call.ts'
import { endpointQuery, invalidate, keepRowsOf } from './endpoint-query.ts'
import { overviewEndpoints } from './overview.ts'
import { pollingInterval } from './query-client.ts'

/** What became of each window of a period (milliseconds); read it with `decodeCoverage`. */
export function coverageQuery(projectId: string, id: string, period: Window) {
  const params = { project_id: projectId, id }
  return {
    ...endpointQuery('coverageOfBatchExport', {
      params,
      query: { start: formatInstant(period.start), end: formatInstant(period.end) },
    }),
    placeholderData: keepRowsOf(params),
    refetchInterval: ({ state }: { state: { data?: Coverage | undefined; error: Error | null } }) =>
      pollingInterval(changesSoon(state.data), state.error),
  }
}

/** Whether a window is running, waiting or due. */
function changesSoon(coverage: Coverage | undefined): boolean {
  return coverage !== undefined && /[rwd]/.test(coverage.states)
}

/** Backfills several ranges one after the other; asked again after a failure it goes on with those that are left. */
export function useBackfillRanges(projectId: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (left: Window[]) => {
      for (let range = left[0]; range; range = left[0]) {
        const body = { start_at: formatInstant(range.start), end_at: formatInstant(range.end) }
        await call('backfillBatchExport', { params: { project_id: projectId, id }, body })
        left.shift()
      }
    },
    onSettled: () =>
      invalidate(
        client,
        'coverageOfBatchExport',
        'listBackfills',
        'listRuns',
        'getBatchExport',
        'listBatchExports',
        ...overviewEndpoints,
      ),
  })
}
