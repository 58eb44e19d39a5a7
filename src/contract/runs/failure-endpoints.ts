import type { Endpoint } from '../endpoint.ts'
import { FailureCauses, FailureCausesQuery } from './failure-cause.ts'

/** The endpoints about failed runs of all exports. */
// prettier-ignore
export const failureEndpoints = {
  failureCauses: { method: 'GET', path: '/api/projects/:project_id/batch_exports/failure_causes/', loads: { project: 'project_id' }, scope: 'batch_export:read', query: FailureCausesQuery, status: 200, response: FailureCauses, summary: 'List the causes of failed runs in a period, with advice and the affected exports' },
} as const satisfies Record<string, Endpoint>
