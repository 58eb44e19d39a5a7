import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { sendMutation, endpointQuery } from '../endpoint-query.ts'
import { live } from '../live.ts'

/** A summary of several recordings; polled until it has ended. */
export function groupSummaryQuery(projectId: string, id: string) {
  return {
    ...endpointQuery('getGroupSummary', { params: { project_id: projectId, id } }),
    ...live(({ status }: ResponseOf<'getGroupSummary'>) => (status === 'Running' ? 'running' : 'settled')),
  }
}

/** Starts a summary of several recordings in the service, which does not need the page to stay open; resolves to its id. */
export async function startGroupSummary(
  client: QueryClient,
  projectId: string,
  body: BodyInput<'createGroupSummary'>,
): Promise<string> {
  const summary = await sendMutation(client, () =>
    call('createGroupSummary', { params: { project_id: projectId }, body }),
  )
  client.setQueryData(groupSummaryQuery(projectId, summary.id).queryKey, summary)
  return summary.id
}

/** Cancels a summary, or has the language model word it. */
export function useChangeGroupSummary(projectId: string, id: string) {
  const client = useQueryClient()
  const input = { params: { project_id: projectId, id }, body: {} }
  return useMutation({
    mutationFn: (change: 'cancel' | 'reword') =>
      call(change === 'cancel' ? 'cancelGroupSummary' : 'rewordGroupSummary', input),
    onSuccess: (summary) => client.setQueryData(groupSummaryQuery(projectId, id).queryKey, summary),
  })
}
