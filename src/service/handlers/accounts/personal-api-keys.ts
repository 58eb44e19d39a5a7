import { PersonalApiKey } from '../../../contract/accounts/api-key.ts'
import { newApiKey } from '../../auth/api-key-value.ts'
import { memberOf } from '../../auth/caller.ts'
import { notFound } from '../../problems/api-error.ts'
import { assertScope } from '../../auth/access.ts'
import { canManageKey, grantedExpiry, grantedReach, grantedScopes } from '../../auth/grant.ts'
import { newKeyRow } from '../../auth/new-organization.ts'
import { listApiKeys, type ApiKey } from '../../store/accounts/api-keys.ts'
import { deleteRows, insertRow } from '../../store/schema/rows.ts'
import { readInstant } from '../given-times.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

/** Returns the key in use. @throws ApiError 404 without one, in a session of a person */
export const getCurrentApiKey: Handler<'getCurrentApiKey'> = async ({ caller }) => {
  if (!caller.key) throw notFound('This request is signed in by a session, not by an API key.')
  return showApiKey(caller.key)
}

/** Lists the keys that the caller can revoke: the user's and perhaps the organization's, none wider than the caller's. */
export const listPersonalApiKeys: Handler<'listPersonalApiKeys'> = async ({ services, caller }) =>
  (await listApiKeys(services.store, memberOf(caller)))
    .filter((key) => canManageKey(caller, key))
    .map(showApiKey)

/** Creates a key. No other response contains its value. */
export const createPersonalApiKey: Handler<'createPersonalApiKey'> = async (request) => {
  const { services, caller, projects, body } = request
  const value = newApiKey()
  // A key that stays when people leave does not create one that ends with a person.
  const is_service = body.is_service === true || caller.key?.is_service === true
  if (is_service) assertScope(caller, 'organization:write')
  const key = newKeyRow(memberOf(caller), body.label, value, services.clock.now(), {
    scopes: grantedScopes(caller, body.scopes),
    ...grantedReach(caller, projects, body),
    expires_at: grantedExpiry(caller, readInstant(body.expires_at), services.clock.now()),
    is_service,
  })
  await insertRow(services.store, 'api_keys', key)
  return { ...showApiKey(key), value }
}

/** Revokes a key, possibly the one in use, which then stops working with the next request. */
export const deletePersonalApiKey: Handler<'deletePersonalApiKey'> = async ({ services, apiKey }) => {
  await deleteRows(services.store, 'api_keys', { id: apiKey.id })
  return null
}

function showApiKey(key: Omit<ApiKey, 'hash'>): PersonalApiKey {
  return shownAs(PersonalApiKey, { ...key, scoped_teams: key.scoped_projects })
}
