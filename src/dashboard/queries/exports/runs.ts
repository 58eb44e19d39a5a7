import type { BatchExportRun, RunStatus } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { live } from '../live.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'
import { runEndpoints } from './overview.ts'

type RunList = ResponseOf<'listRuns'>
type RunListFilter = {
  cursor?: string | undefined
  status?: RunStatus[] | undefined
  /** Only the runs of this backfill, or with `none` those that the schedule started. */
  backfill?: string | undefined
}

export function runsQuery(projectId: string, batchExportId: string, filter: RunListFilter) {
  const params = { project_id: projectId, batch_export_id: batchExportId }
  return {
    ...endpointQuery('listRuns', { params, query: filter }),
    placeholderData: keepRowsOf(params),
    ...live(({ results }: RunList) =>
      results.some((run) => isRunInProgress(run.status)) ? 'running' : 'settled',
    ),
  }
}

const liveUntilFinished = live((run: BatchExportRun) => (isRunInProgress(run.status) ? 'running' : 'settled'))

export function runQuery(projectId: string, batchExportId: string, id: string) {
  const params = { project_id: projectId, batch_export_id: batchExportId, id }
  return { ...endpointQuery('getRun', { params }), ...liveUntilFinished }
}

/** A run of any batch export of the project, with the export's name. */
export function standaloneRunQuery(projectId: string, id: string) {
  return {
    ...endpointQuery('getStandaloneRun', { params: { project_id: projectId, id } }),
    ...liveUntilFinished,
  }
}

type RunOf = { projectId: string; batchExportId: string }

/** Retries or cancels the run with an id. */
export function useChangeRun(name: 'retryRun' | 'cancelRun', { projectId, batchExportId }: RunOf) {
  const params = { project_id: projectId, batch_export_id: batchExportId }
  return useChange((id: string) => call(name, { params: { ...params, id }, body: {} }), runEndpoints)
}
