import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChangeKind } from '../../../contract/exports/batch-export-change.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'
import { overviewEndpoints } from './overview.ts'

export type HistoryFilter = { search: string; kind: ChangeKind | null }

/** The changes made to the exports of a project, deleted ones included, newest first, page by page. */
export function projectHistoryQuery(projectId: string, { search, kind }: HistoryFilter) {
  const params = { project_id: projectId }
  const filter = { ...(search && { search: search.slice(0, 200) }), ...(kind && { kind: [kind] }) }
  return infiniteQueryOptions({
    queryKey: ['changesOfProject', { params, query: filter }] as const,
    queryFn: ({ pageParam, signal }) =>
      call(
        'changesOfProject',
        { params, query: { ...filter, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) =>
      next === null ? null : new URL(next, location.origin).searchParams.get('cursor'),
  })
}

/** The settings of an export that differ from those last applied from a file. */
export function driftQuery(projectId: string, id: string) {
  return endpointQuery('driftOfBatchExport', { params: { project_id: projectId, id } })
}

export function useRevertChange(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      call('revertBatchExportChange', { params: { project_id: projectId, id }, body: {} }),
    onSettled: () =>
      invalidate(
        client,
        ...overviewEndpoints,
        'getBatchExport',
        'changesOfBatchExport',
        'changesOfProject',
        'driftOfBatchExport',
        'coverageOfBatchExport',
      ),
  })
}
