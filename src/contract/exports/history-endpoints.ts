import { z } from 'zod'
import { BatchExportChange } from './batch-export-change.ts'
import { BatchExport, IgnoredInput } from './batch-export.ts'
import type { Endpoint } from '../endpoint.ts'
import { cursorPage } from '../page.ts'
import { ProjectChange, ProjectChangeQuery } from './project-change.ts'

const CursorQuery = z.object({ cursor: z.string().optional() })
const project = 'project_id'
const changes = '/api/projects/:project_id/batch_export_changes/'

/** The endpoints of the history of batch exports. */
// prettier-ignore
export const historyEndpoints = {
  changesOfBatchExport:    { method: 'GET',  path: '/api/projects/:project_id/batch_exports/:id/changes/', loads: { project, batchExport: 'id' }, scope: 'batch_export:read', query: CursorQuery, status: 200, response: cursorPage(BatchExportChange), summary: 'List the changes made to a batch export' },
  changesOfProject:        { method: 'GET',  path: changes,                 loads: { project },                          scope: 'batch_export:read',  query: ProjectChangeQuery, status: 200, response: cursorPage(ProjectChange), summary: 'List or search the changes made to the batch exports of a project, deleted ones included, newest first' },
  revertBatchExportChange: { method: 'POST', path: `${changes}:id/revert/`, loads: { project, batchExportChange: 'id' }, scope: 'batch_export:write', body: IgnoredInput, status: 200, response: BatchExport, summary: 'Restore the values that a change replaced; secrets stay' },
} as const satisfies Record<string, Endpoint>
