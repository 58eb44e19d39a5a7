import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { QueryInput, ResponseOf } from '../../../contract/endpoints.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { call } from '../../api/call.ts'
import { live } from '../live.ts'
import type { RecordingFilter } from './recordings-search.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'

type Page = ResponseOf<'listSessionRecordings'>
type RecordingPages = InfiniteData<Page, number>

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
    queryFn: ({ signal, pageParam: offset }) =>
      call('listSessionRecordings', { params, query: { ...filter, limit: pageRows, offset } }, { signal }),
    initialPageParam: 0,
    // The offset counts the rows that are listed: deleted ones no longer precede the others.
    getNextPageParam: (last: Page, pages: Page[]) =>
      last.has_next ? pages.flatMap(({ results }) => results).length : undefined,
    placeholderData: keepRowsOf(params),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

/** The first recordings that match a filter, and the number of all; polled. */
export function matchingQuery(projectId: string, filter: RecordingFilter, limit = 1) {
  const input = { params: { project_id: projectId }, query: { ...filter, limit, offset: 0 } }
  return { ...endpointQuery('listSessionRecordings', input), ...live(() => 'resting') }
}

/** The newest recordings that a text finds, for suggestions. */
export function recordingsOfQuery(projectId: string, search: string) {
  const query = { ...(search && { search }), limit: 20, offset: 0 }
  return endpointQuery('listSessionRecordings', { params: { project_id: projectId }, query })
}

/** The kinds of errors that match a query, and their number in each state; polled. */
export function errorsQuery(projectId: string, query: Partial<QueryInput<'errorClusters'>>) {
  const params = { project_id: projectId }
  return {
    ...endpointQuery('errorClusters', { params, query }),
    placeholderData: keepRowsOf(params),
    ...live(() => 'resting'),
  }
}

/** Changed fields of recordings, by their ids. */
type Changes = ReadonlyMap<string, Partial<SessionRecording>>

/** Shows changes in all cached lists. */
export function showRecordings(client: QueryClient, changes: Changes): void {
  const changed = (row: SessionRecording) => ({ ...row, ...changes.get(row.id) })
  client.setQueriesData<RecordingPages>(
    { queryKey: ['listSessionRecordings'], predicate: ({ state }) => isPages(state.data) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          results: page.results.map((row) => (changes.has(row.id) ? changed(row) : row)),
        })),
      },
  )
}

function isPages(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'pages' in data
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
  client.setQueryData<RecordingPages>(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  )
  await client.refetchQueries({ queryKey, exact: true })
}
