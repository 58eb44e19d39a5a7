import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { live, paceOf } from './live.ts'

/** Every endpoint that tells how exports do at a glance; stale whenever something is done to an export. */
export const overviewEndpoints = ['overviewOfBatchExports', 'overviewOfOrganizationBatchExports'] as const

type Reach = { projectId: string } | { organizationId: string }

/** How all exports of a project, or of all projects of an organization that the key reaches, do. */
export function overviewQuery(reach: Reach) {
  const [name, params] =
    'projectId' in reach
      ? ([overviewEndpoints[0], { project_id: reach.projectId }] as const)
      : ([overviewEndpoints[1], { organization_id: reach.organizationId }] as const)
  return queryOptions({
    queryKey: [name, { params }] as readonly [string, { params: Record<string, string> }],
    queryFn: ({ signal }) =>
      'project_id' in params
        ? call('overviewOfBatchExports', { params }, { signal })
        : call('overviewOfOrganizationBatchExports', { params }, { signal }),
    ...live(({ results }: ResponseOf<'overviewOfBatchExports'>) =>
      paceOf(results.some((row) => row.state === 'running')),
    ),
  })
}

type Sent = { id: string; team_id: number }

function paramsOf({ id, team_id: projectId }: Sent) {
  return { project_id: String(projectId), id }
}

/** One request to one export of a list; each resolves with what the service answers. */
export const send = {
  pause: (item: Sent) => call('pauseBatchExport', { params: paramsOf(item), body: {} }),
  unpause: (item: Sent) => call('unpauseBatchExport', { params: paramsOf(item), body: {} }),
  retryFailed: (item: Sent) => call('retryFailedRuns', { params: paramsOf(item), body: {} }),
  remove: (item: Sent) => call('deleteBatchExport', { params: paramsOf(item) }),
  /** `start_at` and `end_at` are ISO 8601 with a zone. */
  backfill: (item: Sent, range: { start_at: string; end_at: string }) =>
    call('backfillBatchExport', { params: paramsOf(item), body: range }),
}
