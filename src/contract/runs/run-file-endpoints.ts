import type { Endpoint } from '../endpoint.ts'
import { offsetQuery } from '../page.ts'
import { RunFiles } from './run-files.ts'

/** The endpoints of the files that runs wrote. */
// prettier-ignore
export const runFileEndpoints = {
  filesOfRun: { method: 'GET', path: '/api/projects/:project_id/batch_export_runs/:id/files/', loads: { project: 'project_id', run: 'id' }, scope: 'batch_export:read', query: offsetQuery(100), status: 200, response: RunFiles, summary: 'List the files that a run wrote, with their sizes, and paths that download those on the service’s disk' },
} as const satisfies Record<string, Endpoint>
