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
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
      return call('previewBatchExport', input, { signal })
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}
