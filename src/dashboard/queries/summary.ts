import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'

/** A summary of a session; every fetch computes it again. */
export function summaryQuery(projectId: string, id: string) {
  const input = { params: { project_id: projectId, id }, body: {} }
  return queryOptions({
    queryKey: ['summarizeSessionRecording', input] as const,
    queryFn: ({ signal }) => call('summarizeSessionRecording', input, { signal }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}
