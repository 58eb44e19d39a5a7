import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { live } from '../live.ts'
import { endpointQuery, invalidate, keepRowsOf } from '../endpoint-query.ts'
import { runEndpoints } from './run-endpoints.ts'

type BackfillList = ResponseOf<'listBackfills'>

export function backfillsQuery(projectId: string, batchExportId: string, cursor?: string) {
  const params = { project_id: projectId, batch_export_id: batchExportId }
  return {
    ...endpointQuery('listBackfills', { params, query: cursor ? { cursor } : {} }),
    placeholderData: keepRowsOf(params),
    ...live((list: BackfillList) =>
      list.results.some((backfill) => backfill.finished_at === null) ? 'running' : 'settled',
    ),
  }
}

export function useCancelBackfill(projectId: string, batchExportId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      call('cancelBackfill', {
        params: { project_id: projectId, batch_export_id: batchExportId, id },
        body: {},
      }),
    onSettled: () => invalidate(client, ...runEndpoints),
  })
}
