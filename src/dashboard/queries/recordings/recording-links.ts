import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { useChange } from '../use-change.ts'

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
