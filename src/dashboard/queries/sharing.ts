import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { endpointQuery } from './endpoint-query.ts'

/** How a recording is shared; asking is no sharing: until it is switched on, its link opens nothing. */
export function sharingQuery(projectId: string, recordingId: string) {
  return endpointQuery('getSharing', { params: { project_id: projectId, recording_id: recordingId } })
}

/** Changes how a recording is shared; the answer is what is shown from then on. */
export function useChangeSharing(projectId: string, recordingId: string) {
  return useSharingMutation(projectId, recordingId, (body: BodyInput<'updateSharing'>) =>
    changeSharing(projectId, recordingId, body),
  )
}

/** Makes a new link; the old one opens nothing any more. */
export function useRefreshSharing(projectId: string, recordingId: string) {
  const params = { project_id: projectId, recording_id: recordingId }
  return useSharingMutation(projectId, recordingId, () => call('refreshSharing', { params, body: {} }))
}

/** One request, for whoever changes many. */
export function changeSharing(projectId: string, recordingId: string, body: BodyInput<'updateSharing'>) {
  return call('updateSharing', { params: { project_id: projectId, recording_id: recordingId }, body })
}

function useSharingMutation<Input>(
  projectId: string,
  recordingId: string,
  mutationFn: (input: Input) => Promise<ResponseOf<'getSharing'>>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (sharing) => client.setQueryData(sharingQuery(projectId, recordingId).queryKey, sharing),
  })
}
