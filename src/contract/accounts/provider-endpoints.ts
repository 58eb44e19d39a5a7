import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import {
  IdentityProvider,
  IdentityProviderCreate,
  IdentityProviderUpdate,
  ProviderTest,
} from './identity-provider.ts'

const providers = '/api/organizations/:organization_id/sign_in/providers/'
const organization = 'organization_id'
const one = { organization, identityProvider: 'id' } as const

/** The endpoints of the page of identity providers. */
// prettier-ignore
export const providerEndpoints = {
  listIdentityProviders:  { method: 'GET',    path: providers,                loads: { organization }, scope: 'organization:read', status: 200, response: z.array(IdentityProvider), summary: 'List the identity providers with which members sign in' },
  createIdentityProvider: { method: 'POST',   path: providers,                loads: { organization }, scope: 'organization:write', confirm: true, body: IdentityProviderCreate, status: 201, response: IdentityProvider, summary: 'Add an identity provider' },
  updateIdentityProvider: { method: 'PATCH',  path: `${providers}:id/`,      loads: one, scope: 'organization:write', confirm: true, body: IdentityProviderUpdate, status: 200, response: IdentityProvider, summary: 'Change an identity provider' },
  deleteIdentityProvider: { method: 'DELETE', path: `${providers}:id/`,      loads: one, scope: 'organization:write', confirm: true, status: 204, response: z.null(), summary: 'Remove an identity provider, and end the sessions that it started' },
  testIdentityProvider:   { method: 'POST',   path: `${providers}:id/test/`, loads: one, scope: 'organization:write', status: 200, response: ProviderTest, summary: 'Ask an identity provider for its settings' },
} as const satisfies Record<string, Endpoint>
