import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'
import { asFilter, type RecordingsSearch } from './recordings-search.ts'

/** The saved views of a project's recordings, by name. */
export function recordingViewsQuery(projectId: string) {
  return endpointQuery('listRecordingViews', { params: { project_id: projectId } })
}

/** Returns the query string to save: the filters and the order, without the time zone, because the one of the viewer applies. */
export function queryOfView(search: RecordingsSearch): string {
  const { timezone: _, ...parameters } = asFilter(search)
  return new URLSearchParams(parameters as Record<string, string>).toString()
}

/** Saves a view or, with its id, changes one; resolves to the view. */
export function useSaveView(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id?: string } & BodyInput<'createRecordingView'>) =>
      id === undefined
        ? call('createRecordingView', { params: { project_id: projectId }, body })
        : call('updateRecordingView', { params: { project_id: projectId, id }, body }),
    onSuccess: () => invalidate(client, 'listRecordingViews'),
  })
}

export async function deleteView(client: QueryClient, projectId: string, id: string): Promise<void> {
  await call('deleteRecordingView', { params: { project_id: projectId, id } })
  await invalidate(client, 'listRecordingViews')
}
