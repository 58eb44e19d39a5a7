import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import { call } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'

/** What posthog-js records on a project's sites. */
export function recordingSettingsQuery(projectId: string) {
  return endpointQuery('getRecordingSettings', { params: { project_id: projectId } })
}

/** Changes a project's recording settings optimistically: the page changes at once, and changes back if the request fails. */
export function useChangeRecordingSettings(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = recordingSettingsQuery(projectId)
  return useMutation({
    mutationFn: (body: Partial<RecordingSettings>) =>
      call('updateRecordingSettings', { params: { project_id: projectId }, body }),
    onMutate: (changes) => {
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, before && { ...before, ...changes })
      return before
    },
    onSuccess: (settings) => client.setQueryData(queryKey, settings),
    onError: (_error, _changes, before) => client.setQueryData(queryKey, before),
  })
}
