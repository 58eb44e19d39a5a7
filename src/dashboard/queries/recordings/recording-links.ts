import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'

/** The links to a recording besides the default one, oldest first. */
export function recordingLinksQuery(projectId: string, recordingId: string) {
  return endpointQuery('listRecordingLinks', { params: { project_id: projectId, recording_id: recordingId } })
}

/** Creates, changes and deletes links; each mutation awaits the new list. */
export function useLinkChanges(projectId: string, recordingId: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, recording_id: recordingId }
  const onSuccess = () => invalidate(client, 'listRecordingLinks', 'listSessionRecordings')
  const create = useMutation({
    mutationFn: (body: BodyInput<'createRecordingLink'>) => call('createRecordingLink', { params, body }),
    onSuccess,
  })
  const change = useMutation({
    mutationFn: ({ id, body }: { id: string; body: BodyInput<'updateRecordingLink'> }) =>
      call('updateRecordingLink', { params: { ...params, link_id: id }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) => call('deleteRecordingLink', { params: { ...params, link_id: id } }),
    onSuccess,
  })
  return { create, change, remove }
}

/** The links to a collection, oldest first. */
export function collectionLinksQuery(projectId: string, id: string) {
  return endpointQuery('listCollectionLinks', { params: { project_id: projectId, collection_id: id } })
}

/** Creates, changes and deletes links to a collection; each mutation awaits the new list. */
export function useCollectionLinkChanges(projectId: string, id: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, collection_id: id }
  const onSuccess = () => invalidate(client, 'listCollectionLinks', 'listRecordingCollections')
  const create = useMutation({
    mutationFn: (body: BodyInput<'createCollectionLink'>) => call('createCollectionLink', { params, body }),
    onSuccess,
  })
  const change = useMutation({
    mutationFn: ({ id: link_id, body }: { id: string; body: BodyInput<'updateCollectionLink'> }) =>
      call('updateCollectionLink', { params: { ...params, link_id }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (link_id: string) => call('deleteCollectionLink', { params: { ...params, link_id } }),
    onSuccess,
  })
  return { create, change, remove }
}
