import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** The changes made to an export, newest first, page by page. */
export function changesQuery(projectId: string, id: string) {
  const params = { project_id: projectId, id }
  return infiniteQueryOptions({
    queryKey: ['changesOfBatchExport', { params }] as const,
    queryFn: ({ pageParam, signal }) =>
      call('changesOfBatchExport', { params, query: pageParam ? { cursor: pageParam } : {} }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) =>
      next === null ? null : new URL(next, location.origin).searchParams.get('cursor'),
  })
}
