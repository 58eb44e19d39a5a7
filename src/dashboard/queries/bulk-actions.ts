import { useQuery, type QueryClient } from '@tanstack/react-query'
import { createAtom, useSelector } from '@tanstack/react-store'
import type { BulkAction } from '../../contract/bulk-action.ts'
import { bulkActionInWords, bulkActionProgress, isOnRecordings } from '../format/bulk-action.ts'
import type { BodyInput, ResponseOf } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { tabChannel } from '../api/tab-channel.ts'
import { sendMutation, endpointQuery } from './endpoint-query.ts'
import { live } from './live.ts'
import { runEndpoints } from './exports/overview.ts'

type List = ResponseOf<'listBulkActions'>

/** Endpoints whose responses contain what a bulk action has changed. */
const changedEndpoints = [
  ...runEndpoints,
  'changesOfBatchExport',
  'failureCauses',
  'listSessionRecordings',
  'getSessionRecording',
  'errorClusters',
] as const

/** The bulk actions of a project, newest first; polled while one is in progress. The end of one refreshes the lists. */
export function bulkActionsQuery(projectId: string) {
  const params = { project_id: projectId }
  return {
    ...endpointQuery('listBulkActions', { params }, { watched: ended, dependents: changedEndpoints }),
    ...live(({ results }: List) => (results.some(isInProgress) ? 'running' : 'settled')),
    // Another tab may have started one.
    refetchOnWindowFocus: 'always' as const,
  }
}

export function bulkActionQuery(projectId: string, id: string) {
  return endpointQuery('getBulkAction', { params: { project_id: projectId, id } })
}

/** Returns the progress of the newest bulk action in progress on recordings, or on exports and runs; null without one. */
export function useBulkProgress(projectId: string, on: 'recordings' | 'exports') {
  const { data } = useQuery(bulkActionsQuery(projectId))
  const action = data?.results.find(
    (each) => isInProgress(each) && isOnRecordings(each) === (on === 'recordings'),
  )
  return action ? { label: bulkActionInWords(action), ...bulkActionProgress(action) } : null
}

export function isInProgress({ status }: BulkAction): boolean {
  return status === 'Running' || status === 'Undoing'
}

/** Returns a text that changes when an action ends. */
function ended({ results }: List): string {
  return results.flatMap((action) => (isInProgress(action) ? [] : `${action.id} ${action.status}`)).join()
}

/** Projects in which this page has started actions. */
const startedIn = createAtom<readonly string[]>([])

/** Returns the projects whose bulk actions a page shows. */
export function useBulkProjects(projectId: string): readonly string[] {
  const others = useSelector(startedIn)
  return [projectId, ...others.filter((other) => other !== projectId)]
}

/** Starts an action in the service, which does not need this page to stay open; resolves when the service has stored it. */
export async function startBulkAction(
  client: QueryClient,
  projectId: string,
  body: BodyInput<'createBulkAction'>,
): Promise<void> {
  const params = { project_id: projectId }
  const started = await sendMutation(client, () => call('createBulkAction', { params, body }))
  startedIn.set((projects) => [...new Set([...projects, projectId])])
  await showBulkAction(client, projectId, started)
}

/** Shows a changed action at once, here and in the other tabs; polling shows its progress. */
export async function showBulkAction(client: QueryClient, projectId: string, action: BulkAction) {
  const { queryKey } = bulkActionsQuery(projectId)
  await client.cancelQueries({ queryKey })
  client.setQueryData<List>(queryKey, (list) => {
    const at = list?.results.findIndex(({ id }) => id === action.id) ?? -1
    return list && { ...list, results: at === -1 ? [action, ...list.results] : list.results.with(at, action) }
  })
  await client.invalidateQueries({ queryKey })
  bulkActionChanges.post()
}

/** Tells the other tabs that a bulk action has started or stopped. */
export const bulkActionChanges = tabChannel('spool.bulk-actions')
