import type { QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'
import { asFilter, queryString, type RecordingsSearch } from './recordings-search.ts'

/** The saved views of a project's recordings, by name. */
export function recordingViewsQuery(projectId: string) {
  return endpointQuery('listRecordingViews', { params: { project_id: projectId } })
}

/** Returns the query string to save: the filters and the order, without the time zone, because the one of the viewer applies. */
export function queryOfView(search: RecordingsSearch): string {
  const { timezone: _, ...parameters } = asFilter(search)
  return queryString(parameters)
}

/** Saves a view or, with its id, changes one; resolves to the view. */
export function useSaveView(projectId: string) {
  const params = { project_id: projectId }
  return useChange(
    ({ id, ...body }: { id?: string } & BodyInput<'createRecordingView'>) =>
      id === undefined
        ? call('createRecordingView', { params, body })
        : call('updateRecordingView', { params: { ...params, id }, body }),
    ['listRecordingViews'],
  )
}

export async function deleteView(client: QueryClient, projectId: string, id: string): Promise<void> {
  await call('deleteRecordingView', { params: { project_id: projectId, id } })
  await invalidate(client, 'listRecordingViews')
}
