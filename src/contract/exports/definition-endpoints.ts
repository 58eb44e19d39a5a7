import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { AppliedExports, ApplyInput, Drift, YamlQuery } from './export-definition.ts'

const project = 'project_id'
const projectExports = '/api/projects/:project_id/batch_exports/'

/** The endpoints of batch exports as code. */
// prettier-ignore
export const definitionEndpoints = {
  batchExportsAsYaml: { method: 'GET',  path: `${projectExports}as_yaml/`,   loads: { project },                    scope: 'batch_export:read',  query: YamlQuery, status: 200, response: z.string(), produces: 'application/yaml', summary: 'Retrieve batch exports as a file that can be applied; variables stand for secrets' },
  applyBatchExports:  { method: 'POST', path: `${projectExports}apply/`,     loads: { project },                    scope: 'batch_export:write', body: ApplyInput, status: 200, response: AppliedExports, summary: 'Make batch exports match definitions, by name; all changes are applied or none' },
  driftOfBatchExport: { method: 'GET',  path: `${projectExports}:id/drift/`, loads: { project, batchExport: 'id' }, scope: 'batch_export:read',  status: 200, response: Drift, summary: 'List the settings that differ from those last applied from a file' },
} as const satisfies Record<string, Endpoint>
