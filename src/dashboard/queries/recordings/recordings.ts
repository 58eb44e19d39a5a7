import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { QueryInput, ResponseOf } from '../../../contract/endpoints.ts'
import type { ErrorState } from '../../../contract/recordings/error-cluster.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { call } from '../../api/call.ts'
import { live } from '../live.ts'
import type { RecordingFilter } from './recordings-search.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'

type Page = ResponseOf<'listSessionRecordings'>
export type RecordingPages = InfiniteData<Page, number>

/** Rows per request. */
const pageRows = 50

/**
 * The recordings that match a filter, page by page. They do not change while they are read; `matchingQuery` reports whether
 * there are newer ones.
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
    // The offset counts the rows that are listed: deleted ones no longer precede the others.
    getNextPageParam: (last: Page, pages: Page[]) => (last.has_next ? rowsOf(pages) : undefined),
    placeholderData: keepRowsOf(params),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

/** The number of recordings that match a filter now; polled. */
export function matchingQuery(projectId: string, filter: RecordingFilter) {
  return {
    ...endpointQuery('listSessionRecordings', {
      params: { project_id: projectId },
      query: { ...filter, limit: 1, offset: 0 },
    }),
    ...live(() => 'resting'),
  }
}

/** The number of recordings that match a filter and each quick filter. */
export function quickCountsQuery(
  projectId: string,
  { order: _, order_direction: __, ...query }: RecordingFilter,
) {
  return endpointQuery('quickCounts', { params: { project_id: projectId }, query })
}

/** Why these recordings match a filter. */
export function matchedMomentsQuery(
  projectId: string,
  { order: _, order_direction: __, ...filter }: RecordingFilter,
  ids: readonly string[],
) {
  const query = { ...filter, session_ids: JSON.stringify(ids) }
  return {
    ...endpointQuery('matchedMoments', { params: { project_id: projectId }, query }),
    staleTime: Infinity,
  }
}

/** The newest recordings that a text finds, for suggestions. */
export function recordingsOfQuery(projectId: string, search: string) {
  return endpointQuery('listSessionRecordings', {
    params: { project_id: projectId },
    query: { ...(search && { search }), limit: 20, offset: 0 },
  })
}

/** Suggestions for a filter: names of events or properties, or values of a property. */
export function filterValuesQuery(projectId: string, query: Partial<QueryInput<'filterValues'>>) {
  return endpointQuery('filterValues', { params: { project_id: projectId }, query })
}

/** The errors in a state. */
export function errorsQuery(projectId: string, state: ErrorState) {
  const params = { project_id: projectId }
  return {
    ...endpointQuery('errorClusters', { params, query: { state } }),
    placeholderData: keepRowsOf(params),
    ...live(() => 'resting'),
  }
}

/** The recorded moments of an error, and its stack. */
export function errorMomentsQuery(projectId: string, cluster: number) {
  return endpointQuery('errorMoments', { params: { project_id: projectId }, query: { cluster } })
}

/** Requests for recordings of a list; each resolves with the service's response. */
export const sendRecording = {
  keep: (projectId: string, id: string) =>
    call('persistSessionRecording', { params: { project_id: projectId, id }, body: {} }),
  setWatched: (projectId: string, id: string, viewed: boolean) =>
    call('updateSessionRecording', { params: { project_id: projectId, id }, body: { viewed } }),
}

/** Applies a change to these recordings in all cached lists; null removes a recording. */
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

/** Fetches the number of matching recordings again; the listed rows stay. */
export async function refreshMatching(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    queryKey: ['listSessionRecordings'],
    predicate: ({ state }) => !isPages(state.data),
  })
}

/** Fetches the list again, starting with its first page. */
export async function refreshRecordings(client: QueryClient, projectId: string, filter: RecordingFilter) {
  const { queryKey } = recordingsQuery(projectId, filter)
  client.setQueryData<RecordingPages>(queryKey, (data) =>
    data ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : data,
  )
  await client.refetchQueries({ queryKey, exact: true })
}
