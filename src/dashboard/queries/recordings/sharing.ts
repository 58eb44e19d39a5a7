import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { sendMutation, endpointQuery, invalidate } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'

/** A recording's sharing settings. Reading them does not share the recording. */
export function sharingQuery(projectId: string, recordingId: string) {
  return endpointQuery('getSharing', { params: { project_id: projectId, recording_id: recordingId } })
}

/** Changes a recording's sharing settings, or replaces its link; the cache is updated from the response. */
export function useSharingChanges(projectId: string, recordingId: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, recording_id: recordingId }
  const onSuccess = (sharing: ResponseOf<'getSharing'>) => {
    client.setQueryData(sharingQuery(projectId, recordingId).queryKey, sharing)
    return invalidate(client, 'listSessionRecordings')
  }
  const change = useMutation({
    mutationFn: (body: BodyInput<'updateSharing'>) => call('updateSharing', { params, body }),
    onSuccess,
  })
  const replace = useMutation({ mutationFn: () => call('refreshSharing', { params, body: {} }), onSuccess })
  return { change, replace }
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

/** Creates, changes and deletes links to a recording; each mutation awaits the new list. */
export function useLinkChanges(projectId: string, recordingId: string) {
  const params = { project_id: projectId, recording_id: recordingId }
  const changed = ['listRecordingLinks', 'listSessionRecordings'] as const
  return {
    create: useChange(
      (body: BodyInput<'createRecordingLink'>) => call('createRecordingLink', { params, body }),
      changed,
    ),
    change: useChange(
      ({ id, body }: { id: string; body: BodyInput<'updateRecordingLink'> }) =>
        call('updateRecordingLink', { params: { ...params, link_id: id }, body }),
      changed,
    ),
    remove: useChange(
      (id: string) => call('deleteRecordingLink', { params: { ...params, link_id: id } }),
      changed,
    ),
  }
}

/** Creates, changes and deletes links to a collection; each mutation awaits the new list. */
export function useCollectionLinkChanges(projectId: string, collectionId: string) {
  const params = { project_id: projectId, collection_id: collectionId }
  const changed = ['listCollectionLinks', 'listRecordingCollections'] as const
  return {
    create: useChange(
      (body: BodyInput<'createCollectionLink'>) => call('createCollectionLink', { params, body }),
      changed,
    ),
    change: useChange(
      ({ id, body }: { id: string; body: BodyInput<'updateCollectionLink'> }) =>
        call('updateCollectionLink', { params: { ...params, link_id: id }, body }),
      changed,
    ),
    remove: useChange(
      (id: string) => call('deleteCollectionLink', { params: { ...params, link_id: id } }),
      changed,
    ),
  }
}
