import type { QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'

const changed = ['listRecordingCollections', 'getRecordingCollection', 'listSessionRecordings'] as const

/** The collections of a project, by name. */
export function collectionsQuery(projectId: string) {
  return endpointQuery('listRecordingCollections', { params: { project_id: projectId } })
}

export function useCreateCollection(projectId: string) {
  return useChange(
    (body: BodyInput<'createRecordingCollection'>) =>
      call('createRecordingCollection', { params: { project_id: projectId }, body }),
    changed,
  )
}

export function useRenameCollection(projectId: string, id: string) {
  const params = { project_id: projectId, collection_id: id }
  return useChange((name: string) => call('updateRecordingCollection', { params, body: { name } }), changed)
}

export function useAddToCollection(projectId: string) {
  return useChange(
    ({ id, ...body }: Addition) =>
      call('addToRecordingCollection', { params: { project_id: projectId, collection_id: id }, body }),
    changed,
  )
}

type Addition = BodyInput<'addToRecordingCollection'> & { id: string }

/** Adds recordings to the collection with this id. */
export async function addToCollection(client: QueryClient, projectId: string, { id, ...body }: Addition) {
  await call('addToRecordingCollection', { params: { project_id: projectId, collection_id: id }, body })
  await invalidate(client, ...changed)
}

/** Sends the request alone, because the deletion can be undone until then. */
export async function deleteCollection(client: QueryClient, projectId: string, id: string): Promise<void> {
  await call('deleteRecordingCollection', { params: { project_id: projectId, collection_id: id } })
  await invalidate(client, 'listRecordingCollections')
}

/** Removes these recordings from a collection, one after the other. */
export async function removeFromCollection(
  client: QueryClient,
  { projectId, id }: { projectId: string; id: string },
  recordingIds: readonly string[],
): Promise<void> {
  const params = { project_id: projectId, collection_id: id }
  for (const recording_id of recordingIds)
    await call('removeFromRecordingCollection', { params: { ...params, recording_id } })
  await invalidate(client, ...changed)
}
