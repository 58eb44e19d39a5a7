import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'

/** The summary of a session, which the service stores. */
export function summaryQuery(projectId: string, id: string) {
  return {
    ...endpointQuery('summaryOfSessionRecording', { params: { project_id: projectId, id } }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  }
}

/** Has the language model word the summary of a session. */
export function useRewordSummary(projectId: string, id: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, id }
  return useMutation({
    mutationFn: () => call('summarizeSessionRecording', { params, body: { use_model: true } }),
    onSuccess: ({ content, summary }) =>
      client.setQueryData(
        summaryQuery(projectId, id).queryKey,
        (known) => known && { ...known, content, summary },
      ),
  })
}
