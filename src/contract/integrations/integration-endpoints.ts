import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { offsetPage } from '../page.ts'
import { Integration, IntegrationInput, IntegrationQuery, IntegrationRotation } from './integration.ts'

const integrations = '/api/projects/:project_id/integrations/'
const project = { project: 'project_id' } as const
const integration = { ...project, integration: 'id' } as const
const read = 'integration:read'
const write = 'integration:write'

/** The endpoints of connections, which PostHog calls integrations. */
// prettier-ignore
export const integrationEndpoints = {
  listIntegrations:  { method: 'GET',    path: integrations,                 loads: project,     scope: read,  query: IntegrationQuery, status: 200, response: offsetPage(Integration), summary: 'List the connections of a project, oldest first' },
  createIntegration: { method: 'POST',   path: integrations,                 loads: project,     scope: write, body: IntegrationInput, status: 201, response: Integration, summary: 'Create a connection' },
  getIntegration:    { method: 'GET',    path: `${integrations}:id/`,        loads: integration, scope: read,  status: 200, response: Integration, summary: 'Retrieve a connection' },
  deleteIntegration: { method: 'DELETE', path: `${integrations}:id/`,        loads: integration, scope: write, status: 204, response: z.null(), summary: 'Delete a connection that no export uses' },
  rotateIntegration: { method: 'POST',   path: `${integrations}:id/rotate/`, loads: integration, scope: write, body: IntegrationRotation, status: 200, response: Integration, summary: 'Test every export that uses a connection with a new config, and replace the config if all succeed' },
} as const satisfies Record<string, Endpoint>
