import type { PersonalApiKeyCreate } from '../../contract/accounts/api-key.ts'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import type { GrantedScope } from '../../contract/accounts/scope-schema.ts'
import { formatInstant } from '../../contract/instant.ts'
import { invalidInput } from '../problems/api-error.ts'
import type { ApiKey } from '../store/accounts/api-keys.ts'
import type { Project } from '../store/accounts/projects.ts'
import type { Caller, Grant } from './caller.ts'

/** Returns the scopes of a new key. @throws ApiError 400 naming the scopes that the caller's key lacks. */
export function grantedScopes(caller: Caller, scopes: readonly GrantedScope[]): GrantedScope[] {
  const lacking = lackingScopes(caller.scopes, scopes)
  if (lacking.length > 0)
    throw invalidInput(`You can only grant scopes that you have yourself, not ${list(lacking)}.`, ['scopes'])
  return [...new Set(scopes)]
}

/** Returns whether a key allows no more than the caller's own: a key can list and revoke only such keys. */
export function isWithinReach(own: Grant, key: Grant): boolean {
  const covers = <Id>(limit: readonly Id[] | null, ids: readonly Id[] | null) =>
    limit === null || (ids !== null && ids.every((id) => limit.includes(id)))
  return (
    lackingScopes(own.scopes, key.scopes).length === 0 &&
    covers(own.scoped_projects, key.scoped_projects) &&
    covers(own.scoped_organizations, key.scoped_organizations)
  )
}

/** Returns whether the caller lists and revokes a key: its own, and for those who change the organization, the organization's. */
export function canManageKey(caller: Caller, key: Grant & Pick<ApiKey, 'is_service' | 'user_id'>): boolean {
  const isOwn = caller.role !== null && key.user_id === caller.userId
  return (
    isWithinReach(caller, key) && (key.is_service ? allowsScope(caller.scopes, 'organization:write') : isOwn)
  )
}

/** Returns the wanted scopes that are not held. `held` is text, because a later version may have stored scopes that this one does not know. */
export function lackingScopes<Name extends string>(held: readonly string[], wanted: readonly Name[]): Name[] {
  return wanted.filter((scope) => !held.includes('*') && (scope === '*' || !allowsScope(held, scope)))
}

/**
 * Returns the project and organization limits of a new key. An omitted limit is copied from the granting key; an empty
 * list means no limit.
 * @throws ApiError 400 naming the projects or organizations that the granting key cannot access.
 */
export function grantedReach(
  caller: Caller,
  reachable: readonly Project[],
  input: Pick<PersonalApiKeyCreate, 'scoped_teams' | 'scoped_organizations'>,
): Omit<Grant, 'scopes'> {
  const { scoped_projects: ownProjects, scoped_organizations: ownOrganizations } = caller
  const reachableIds = reachable.map((project) => project.id)
  return {
    scoped_projects: limited('scoped_teams', 'projects', input.scoped_teams, ownProjects, reachableIds),
    scoped_organizations: limited(
      'scoped_organizations',
      'organizations',
      input.scoped_organizations,
      ownOrganizations,
      ownOrganizations ?? [caller.organizationId],
    ),
  }
}

/**
 * Returns when a new key expires; by default, with the granting key.
 * @throws ApiError 400 if that is past, or after the granting key expires
 */
export function grantedExpiry({ key }: Caller, given: Date | null | undefined, now: number): Date | null {
  const own = key?.expires_at ?? null
  if (given === undefined) return own
  if (given && given.getTime() <= now) throw invalidInput('Choose a time in the future.', ['expires_at'])
  if (own && (!given || given > own))
    throw invalidInput(`A key can only create keys that expire with it, at ${formatInstant(own)}.`, [
      'expires_at',
    ])
  return given
}

function limited<Id extends string | number>(
  field: string,
  things: string,
  given: Id[] | null | undefined,
  own: Id[] | null,
  reachable: readonly Id[],
): Id[] | null {
  if (given === undefined) return own
  if (given === null || given.length === 0) {
    if (own === null) return null
    throw invalidInput(`You can only grant ${things} that you can access yourself: ${list(own)}.`, [field])
  }
  const beyond = given.filter((id) => !reachable.includes(id))
  if (beyond.length > 0)
    throw invalidInput(`You can only grant ${things} that you can access yourself, not ${list(beyond)}.`, [
      field,
    ])
  return [...new Set(given)]
}

function list(names: readonly (string | number)[]): string {
  return names.map((name) => `'${String(name).slice(0, 100)}'`).join(', ')
}
