import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ChangeKind } from '../../../contract/exports/batch-export-change.ts'
import { call } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'
import { cursorOf } from '../../ui/list/pager.tsx'
import { overviewEndpoints } from './overview.ts'

export type HistoryFilter = { search: string; kind: ChangeKind | null }

/** The changes made to the exports of a project, deleted ones included, newest first, page by page. */
export function projectHistoryQuery(projectId: string, { search, kind }: HistoryFilter) {
  const params = { project_id: projectId }
  const filter = { search: search.slice(0, 200), kind: kind ? [kind] : undefined }
  return infiniteQueryOptions({
    queryKey: ['changesOfProject', { params, query: filter }] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('changesOfProject', { params, query: { ...filter, cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => cursorOf(next),
  })
}

/** The changes made to an export, newest first, page by page. */
export function exportHistoryQuery(projectId: string, id: string) {
  const params = { project_id: projectId, id }
  return infiniteQueryOptions({
    queryKey: ['changesOfBatchExport', { params }] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('changesOfBatchExport', { params, query: { cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => cursorOf(next),
  })
}

/** The settings of an export that differ from those last applied from a file. */
export function driftQuery(projectId: string, id: string) {
  return endpointQuery('driftOfBatchExport', { params: { project_id: projectId, id } })
}

export function useRevertChange(projectId: string) {
  return useChange(
    (id: string) => call('revertBatchExportChange', { params: { project_id: projectId, id }, body: {} }),
    [
      ...overviewEndpoints,
      'getBatchExport',
      'changesOfBatchExport',
      'changesOfProject',
      'driftOfBatchExport',
      'coverageOfBatchExport',
    ],
  )
}
