import { PersonalApiKey } from '../../contract/accounts/api-key.ts'
import { newApiKey } from '../auth/api-key-value.ts'
import type { Caller } from '../auth/caller.ts'
import { grantedReach, grantedScopes, isWithinReach } from '../auth/grant.ts'
import { newKeyRow } from '../auth/new-organization.ts'
import { listApiKeys } from '../store/accounts/api-keys.ts'
import { deleteRows, insertRow } from '../store/schema/rows.ts'
import type { Handler } from './handler.ts'
import { shownAs } from './shown-as.ts'

export const getCurrentApiKey: Handler<'getCurrentApiKey'> = async ({ caller }) => showApiKey(caller.key)

/** Lists the user's keys that are no wider than the caller's. */
export const listPersonalApiKeys: Handler<'listPersonalApiKeys'> = async ({ services, caller }) =>
  (await listApiKeys(services.store, caller.userId))
    .filter((key) => isWithinReach(caller, key))
    .map(showApiKey)

/** Creates a key. No other response contains its value. */
export const createPersonalApiKey: Handler<'createPersonalApiKey'> = async (request) => {
  const { services, caller, projects, body } = request
  const value = newApiKey()
  const key = newKeyRow(caller.userId, body.label, value, services.clock.now(), {
    scopes: grantedScopes(caller, body.scopes),
    ...grantedReach(caller, projects, body),
  })
  await insertRow(services.store, 'api_keys', key)
  return { ...showApiKey(key), value }
}

/** Revokes a key, possibly the one in use, which then stops working with the next request. */
export const deletePersonalApiKey: Handler<'deletePersonalApiKey'> = async ({ services, apiKey }) => {
  await deleteRows(services.store, 'api_keys', { id: apiKey.id })
  return null
}

function showApiKey(key: Caller['key']): PersonalApiKey {
  return shownAs(PersonalApiKey, { ...key, scoped_teams: key.scoped_projects })
}
