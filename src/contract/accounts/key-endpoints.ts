import { z } from 'zod'
import { CreatedPersonalApiKey, PersonalApiKey, PersonalApiKeyCreate } from './api-key.ts'
import type { Endpoint } from '../endpoint.ts'

/** The endpoints of the page of API keys. */
// prettier-ignore
export const keyEndpoints = {
  listPersonalApiKeys:  { method: 'GET',    path: '/api/personal_api_keys/',               scope: 'personal_api_key:read', status: 200, response: z.array(PersonalApiKey), summary: 'List the keys of the user' },
  createPersonalApiKey: { method: 'POST',   path: '/api/personal_api_keys/',               scope: 'personal_api_key:write', confirm: true, body: PersonalApiKeyCreate, status: 201, response: CreatedPersonalApiKey, summary: 'Create a key' },
  deletePersonalApiKey: { method: 'DELETE', path: '/api/personal_api_keys/:id/',           loads: { apiKey: 'id' }, scope: 'personal_api_key:write', status: 204, response: z.null(), summary: 'Revoke a key' },
} as const satisfies Record<string, Endpoint>
