import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { sendMutation, endpointQuery } from '../endpoint-query.ts'
import { live } from '../live.ts'

/** A summary of several visits; polled until it has ended. */
export function visitsSummaryQuery(projectId: string, id: string) {
  return {
    ...endpointQuery('getVisitsSummary', { params: { project_id: projectId, id } }),
    ...live(({ status }: ResponseOf<'getVisitsSummary'>) => (status === 'Running' ? 'running' : 'settled')),
  }
}

/** Starts a summary of several recordings in the service, which does not need the page to stay open; resolves to its id. */
export async function startVisitsSummary(
  client: QueryClient,
  projectId: string,
  body: BodyInput<'createVisitsSummary'>,
): Promise<string> {
  const summary = await sendMutation(client, () =>
    call('createVisitsSummary', { params: { project_id: projectId }, body }),
  )
  client.setQueryData(visitsSummaryQuery(projectId, summary.id).queryKey, summary)
  return summary.id
}

/** Cancels a summary, or has the language model word it. */
export function useChangeVisitsSummary(projectId: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: 'cancel' | 'reword') =>
      call(change === 'cancel' ? 'cancelVisitsSummary' : 'rewordVisitsSummary', {
        params: { project_id: projectId, id },
        body: {},
      }),
    onSuccess: (summary) => client.setQueryData(visitsSummaryQuery(projectId, id).queryKey, summary),
  })
}
