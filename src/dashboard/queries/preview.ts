import { queryOptions } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'

export type PreviewInput = BodyInput<'previewBatchExport'>
export type Preview = ResponseOf<'previewBatchExport'>

const pauseMs = 400

/** What an export would write; asked for after a pause, since people go on typing. */
export function previewQuery(projectId: string, body: PreviewInput) {
  const input = { params: { project_id: projectId }, body }
  return queryOptions({
    queryKey: ['previewBatchExport', input] as const,
    queryFn: async ({ signal }) => {
      await pause(signal)
      return call('previewBatchExport', input, { signal })
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

/** Ends early, by the signal's own reason, when nobody waits for it any more. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new Error('The preview was given up.'))
    })
  })
}
