import { queryOptions } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { live, paceOf } from '../live.ts'

/** Endpoints that summarise all exports; invalidated by every action on an export. */
export const overviewEndpoints = ['overviewOfBatchExports', 'overviewOfOrganizationBatchExports'] as const

/** The state of all exports of a project, or of all projects of an organization that the key can access. */
export function overviewQuery(scope: { projectId: string } | { organizationId: string }) {
  const [name, params] =
    'projectId' in scope
      ? ([overviewEndpoints[0], { project_id: scope.projectId }] as const)
      : ([overviewEndpoints[1], { organization_id: scope.organizationId }] as const)
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

/** Requests for one export of a list; each resolves with the service's response. */
export const send = {
  pause: (item: Sent, body: BodyInput<'pauseBatchExport'> = {}) =>
    call('pauseBatchExport', { params: paramsOf(item), body }),
  unpause: (item: Sent) => call('unpauseBatchExport', { params: paramsOf(item), body: {} }),
}

/** Endpoints whose responses contain runs or their results; invalidated whenever a run starts or stops. */
export const runEndpoints = [
  'listRuns',
  'getRun',
  'getStandaloneRun',
  'coverageOfBatchExport',
  'listBackfills',
  'getBatchExport',
  'logsOfBatchExport',
  ...overviewEndpoints,
] as const
