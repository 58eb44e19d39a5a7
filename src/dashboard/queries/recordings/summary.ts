import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** The summary of a session, which the service stores. */
export function summaryQuery(projectId: string, id: string) {
  const input = { params: { project_id: projectId, id } }
  return queryOptions({
    queryKey: ['summaryOfSessionRecording', input] as const,
    queryFn: ({ signal }) => call('summaryOfSessionRecording', input, { signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
}

/** Has the language model word the summary of a session. */
export function useRewordSummary(projectId: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      call('summarizeSessionRecording', { params: { project_id: projectId, id }, body: { use_model: true } }),
    onSuccess: ({ content, summary }) =>
      client.setQueryData(
        summaryQuery(projectId, id).queryKey,
        (known) => known && { ...known, content, summary },
      ),
  })
}
