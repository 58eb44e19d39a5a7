import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import type { BatchExport, BatchExportUpdate } from '../../../contract/exports/batch-export.ts'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { live, paceOf } from '../live.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'
import { overviewEndpoints } from './overview.ts'

/** Endpoints whose responses contain an export, its state or its history. */
const exportEndpoints = [...overviewEndpoints, 'getBatchExport', 'changesOfBatchExport'] as const

export function hasRunInProgress(batchExport: BatchExport): boolean {
  return batchExport.latest_runs.some((run) => isRunInProgress(run.status))
}

export function batchExportQuery(projectId: string, id: string) {
  return {
    ...endpointQuery(
      'getBatchExport',
      { params: { project_id: projectId, id } },
      {
        watched: exportVersion,
        dependents: [
          ...overviewEndpoints,
          'listRuns',
          'coverageOfBatchExport',
          'flagsOfLedger',
          'listBackfills',
          'logsOfBatchExport',
        ],
      },
    ),
    ...live((batchExport: BatchExport) => paceOf(hasRunInProgress(batchExport))),
  }
}

/** Returns a text that changes when a run starts or ends, or when the export is edited. */
function exportVersion(batchExport: BatchExport): string {
  const { last_updated_at: changedAt, latest_runs: runs } = batchExport
  return `${changedAt} ${runs[0]?.id} ${hasRunInProgress(batchExport)}`
}

/** Pauses or unpauses optimistically: the page changes at once, and changes back if the request fails. */
export function useSetPaused(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, paused }: { id: string; paused: boolean }) =>
      call(paused ? 'pauseBatchExport' : 'unpauseBatchExport', {
        params: { project_id: projectId, id },
        body: {},
      }),
    onMutate: async ({ id, paused }) => {
      showPaused(client, id, paused)
      // Cancelling a fetch restores the data from before it, so the change is applied again.
      await client.cancelQueries({ queryKey: ['getBatchExport'] })
      showPaused(client, id, paused)
    },
    onError: (_, { id, paused }) => showPaused(client, id, !paused),
    onSettled: () => invalidate(client, ...exportEndpoints),
  })
}

function showPaused(client: QueryClient, id: string, paused: boolean): void {
  const change = (item: BatchExport) =>
    item.id === id ? { ...item, paused, paused_because: null, pause_reason: null, paused_until: null } : item
  client.setQueriesData<BatchExport>({ queryKey: ['getBatchExport'] }, (item) => item && change(item))
}

export function useCreateBatchExport(projectId: string) {
  return useChange(
    (body: BodyInput<'createBatchExport'>) =>
      call('createBatchExport', { params: { project_id: projectId }, body }),
    overviewEndpoints,
    'onSuccess',
  )
}

export function useUpdateBatchExport(projectId: string, id: string) {
  return useChange(
    (body: BatchExportUpdate) => call('updateBatchExport', { params: { project_id: projectId, id }, body }),
    ['listBatchExports', ...exportEndpoints],
    'onSuccess',
  )
}

/** `start_at` and `end_at` are ISO 8601 with a zone. */
export function useBackfill(projectId: string, id: string) {
  return useChange(
    (body: { start_at: string; end_at: string }) =>
      call('backfillBatchExport', { params: { project_id: projectId, id }, body }),
    ['listBackfills', 'listRuns', 'coverageOfBatchExport', ...exportEndpoints],
    'onSuccess',
  )
}
