import { queryOptions } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'

export type PreviewInput = BodyInput<'previewBatchExport'>
export type Preview = ResponseOf<'previewBatchExport'>

/** Pause (ms) in typing after which the preview is requested. */
const pauseMs = 400

/** The rows that an export would write; requested after a pause in typing. */
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

/** Waits `pauseMs`; rejects with the signal's reason when it aborts. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new Error('The preview was cancelled.'))
    })
  })
}
