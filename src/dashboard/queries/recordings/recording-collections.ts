import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'

/** The collections of a project, by name. */
export function collectionsQuery(projectId: string) {
  return endpointQuery('listRecordingCollections', { params: { project_id: projectId } })
}

export function collectionQuery(projectId: string, id: string) {
  return endpointQuery('getRecordingCollection', { params: { project_id: projectId, collection_id: id } })
}

export function useCreateCollection(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<'createRecordingCollection'>) =>
      call('createRecordingCollection', { params: { project_id: projectId }, body }),
    onSuccess: () => refreshCollections(client),
  })
}

export function useRenameCollection(projectId: string, id: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, collection_id: id }
  return useMutation({
    mutationFn: (name: string) => call('updateRecordingCollection', { params, body: { name } }),
    onSuccess: () => refreshCollections(client),
  })
}

export function useAddToCollection(projectId: string) {
  const client = useQueryClient()
  return useMutation({ mutationFn: (addition: Addition) => addToCollection(client, projectId, addition) })
}

type Addition = BodyInput<'addToRecordingCollection'> & { id: string }

/** Adds recordings to the collection with this id. */
export async function addToCollection(
  client: QueryClient,
  projectId: string,
  { id, ...body }: Addition,
): Promise<void> {
  await call('addToRecordingCollection', { params: { project_id: projectId, collection_id: id }, body })
  await refreshCollections(client)
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
  for (const recording_id of recordingIds)
    await call('removeFromRecordingCollection', {
      params: { project_id: projectId, collection_id: id, recording_id },
    })
  await refreshCollections(client)
}

function refreshCollections(client: QueryClient): Promise<void> {
  return invalidate(client, 'listRecordingCollections', 'getRecordingCollection', 'listSessionRecordings')
}
