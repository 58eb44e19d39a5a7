import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../contract/endpoints.ts'
import type { SessionRecording } from '../../contract/session-recording.ts'
import { call } from '../api/call.ts'
import { live } from './live.ts'
import type { RecordingFilter } from './recordings-search.ts'
import { endpointQuery, keepRowsOf } from './endpoint-query.ts'

type Page = ResponseOf<'listSessionRecordings'>
export type RecordingPages = InfiniteData<Page, number>

/** Rows that are fetched at once. */
const pageRows = 50

/**
 * The recordings that a filter selects, page by page. They stay as they are while somebody reads them: `matchingQuery` tells
 * whether there are newer ones.
 */
export function recordingsQuery(projectId: string, filter: RecordingFilter) {
  const params = { project_id: projectId }
  return infiniteQueryOptions({
    queryKey: ['listSessionRecordings', { params, query: filter, pages: true }] as const,
    queryFn: ({ signal, pageParam }) =>
      call(
        'listSessionRecordings',
        { params, query: { ...filter, limit: pageRows, offset: pageParam } },
        { signal },
      ),
    initialPageParam: 0,
    // Rows that were deleted meanwhile stand before no other any more.
    getNextPageParam: (last: Page, pages: Page[]) => (last.has_next ? rowsOf(pages) : undefined),
    placeholderData: keepRowsOf(params),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

/** How many recordings a filter selects now, looked at again and again. */
export function matchingQuery(projectId: string, filter: RecordingFilter) {
  return {
    ...endpointQuery('listSessionRecordings', {
      params: { project_id: projectId },
      query: { ...filter, limit: 1, offset: 0 },
    }),
    ...live(() => 'resting'),
  }
}

/** These recordings of a project; those that are gone are not among them. */
export function recordingsByIdQuery(projectId: string, ids: readonly string[]) {
  const query = { session_ids: JSON.stringify(ids), limit: ids.length, offset: 0 }
  return endpointQuery('listSessionRecordings', { params: { project_id: projectId }, query })
}

export function errorClustersQuery(projectId: string) {
  return {
    ...endpointQuery('errorClusters', { params: { project_id: projectId } }),
    ...live(() => 'resting'),
  }
}

/** One request about a recording of a list; each resolves with what the service answers. */
export const sendRecording = {
  keep: (projectId: string, id: string) =>
    call('persistSessionRecording', { params: { project_id: projectId, id }, body: {} }),
  setWatched: (projectId: string, id: string, viewed: boolean) =>
    call('updateSessionRecording', { params: { project_id: projectId, id }, body: { viewed } }),
  /** At most twenty at once. */
  remove: (projectId: string, ids: readonly string[]) =>
    call('bulkDeleteRecordings', {
      params: { project_id: projectId },
      body: { session_recording_ids: [...ids] },
    }),
}

/** Shows a change of these recordings wherever they are listed; null takes a recording away. */
export function showRecordings(
  client: QueryClient,
  ids: ReadonlySet<string>,
  change: (recording: SessionRecording) => SessionRecording | null,
): void {
  client.setQueriesData<RecordingPages>(
    { queryKey: ['listSessionRecordings'], predicate: ({ state }) => isPages(state.data) },
    (data) => data && { ...data, pages: changed(data.pages, ids, change) },
  )
}

function isPages(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'pages' in data
}

function changed(
  pages: readonly Page[],
  ids: ReadonlySet<string>,
  change: (recording: SessionRecording) => SessionRecording | null,
): Page[] {
  const next = pages.map((page) => ({
    ...page,
    results: page.results.flatMap((row) => (ids.has(row.id) ? (change(row) ?? []) : row)),
  }))
  const removed = rowsOf(pages) - rowsOf(next)
  return next.map((page) => ({ ...page, count: page.count - removed }))
}

function rowsOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { results }) => sum + results.length, 0)
}

/** Looks anew how many recordings each filter selects; the rows that are listed stay as they are. */
export async function refreshMatching(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    queryKey: ['listSessionRecordings'],
    predicate: ({ state }) => !isPages(state.data),
  })
}

/** Fetches the list anew from its first page on. */
export async function refreshRecordings(client: QueryClient, projectId: string, filter: RecordingFilter) {
  const { queryKey } = recordingsQuery(projectId, filter)
  client.setQueryData<RecordingPages>(queryKey, (data) =>
    data ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : data,
  )
  await client.refetchQueries({ queryKey, exact: true })
}
