import { ConnectionTest, ConnectionTestInput } from '../destinations/connection-test.ts'
import type { Endpoint } from '../endpoint.ts'
import { Preview, PreviewInput } from './preview.ts'

const projectExports = '/api/projects/:project_id/batch_exports/'

/** The endpoints with which the form of an export tries its settings. */
// prettier-ignore
export const trialEndpoints = {
  testConnection:         { method: 'POST', path: `${projectExports}test_connection/`,   loads: { project: 'project_id' },                    scope: 'batch_export:write', body: ConnectionTestInput, status: 200, response: ConnectionTest, summary: 'Test a destination by writing and removing a small file' },
  previewBatchExport:     { method: 'POST', path: `${projectExports}preview/`,           loads: { project: 'project_id' },                    scope: 'batch_export:write', body: PreviewInput, status: 200, response: Preview, summary: 'Preview the columns and sample rows that an export would write' },
} as const satisfies Record<string, Endpoint>
