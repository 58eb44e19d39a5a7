import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isRunInProgress, type BatchExportRun, type RunStatus } from '../../contract/batch-export-run.ts'
import type { ResponseOf } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { live, paceOf } from '../live/live.ts'
import { endpointQuery, invalidate, keepRowsOf } from './endpoint-query.ts'

type RunList = ResponseOf<'listRuns'>
type RunListFilter = { cursor?: string | undefined; status?: RunStatus[] | undefined }

export function runsQuery(projectId: string, batchExportId: string, filter: RunListFilter) {
  const { cursor, status } = filter
  const params = { project_id: projectId, batch_export_id: batchExportId }
  return {
    ...endpointQuery('listRuns', {
      params,
      query: { ...(cursor ? { cursor } : {}), ...(status ? { status } : {}) },
    }),
    placeholderData: keepRowsOf(params),
    ...live((runs: RunList) => paceOf(runs.results.some((run) => isRunInProgress(run.status)))),
  }
}

export function runQuery(projectId: string, batchExportId: string, id: string) {
  return {
    ...endpointQuery('getRun', {
      params: { project_id: projectId, batch_export_id: batchExportId, id },
    }),
    ...live((run: BatchExportRun) => (isRunInProgress(run.status) ? 'running' : 'settled')),
  }
}

type RunOf = { projectId: string; batchExportId: string }

export function useRetryRun({ projectId, batchExportId }: RunOf) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      call('retryRun', { params: { project_id: projectId, batch_export_id: batchExportId, id }, body: {} }),
    onSettled: () => invalidate(client, 'listRuns', 'getRun', 'getBatchExport', 'listBackfills'),
  })
}

export function useCancelRun({ projectId, batchExportId }: RunOf) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      call('cancelRun', { params: { project_id: projectId, batch_export_id: batchExportId, id }, body: {} }),
    onSettled: () => invalidate(client, 'listRuns', 'getRun', 'getBatchExport', 'listBackfills'),
  })
}
