import type { Endpoint } from '../endpoint.ts'
import { HealthQuery, ProjectHealth } from './project-health.ts'

/** The endpoint of the home page. */
// prettier-ignore
export const healthEndpoints = {
  healthOfProject: { method: 'GET', path: '/api/projects/:project_id/health/', loads: { project: 'project_id' }, scope: 'batch_export:read', query: HealthQuery, status: 200, response: ProjectHealth, summary: 'Retrieve the health of a project in numbers' },
} as const satisfies Record<string, Endpoint>
