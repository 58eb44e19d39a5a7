import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { sendMutation, endpointQuery, invalidate } from '../endpoint-query.ts'

/** A recording's sharing settings. Reading them does not share the recording. */
export function sharingQuery(projectId: string, recordingId: string) {
  return endpointQuery('getSharing', { params: { project_id: projectId, recording_id: recordingId } })
}

/** Changes a recording's sharing settings; the cache is updated from the response. */
export function useChangeSharing(projectId: string, recordingId: string) {
  return useSharingMutation(projectId, recordingId, (body: BodyInput<'updateSharing'>) =>
    call('updateSharing', { params: { project_id: projectId, recording_id: recordingId }, body }),
  )
}

/** Creates a new link; the old one stops working. */
export function useRefreshSharing(projectId: string, recordingId: string) {
  const params = { project_id: projectId, recording_id: recordingId }
  return useSharingMutation(projectId, recordingId, () => call('refreshSharing', { params, body: {} }))
}

/** Shares recordings, or stops sharing them, in one request; resolves to the changed links. */
export async function shareMany(
  client: QueryClient,
  projectId: string,
  body: BodyInput<'bulkUpdateSharing'>,
) {
  const { results } = await sendMutation(client, () =>
    call('bulkUpdateSharing', { params: { project_id: projectId }, body }),
  )
  for (const { id, ...sharing } of results) client.setQueryData(sharingQuery(projectId, id).queryKey, sharing)
  void invalidate(client, 'listSessionRecordings')
  return results
}

function useSharingMutation<Input>(
  projectId: string,
  recordingId: string,
  mutationFn: (input: Input) => Promise<ResponseOf<'getSharing'>>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (sharing) => {
      client.setQueryData(sharingQuery(projectId, recordingId).queryKey, sharing)
      return invalidate(client, 'listSessionRecordings')
    },
  })
}
