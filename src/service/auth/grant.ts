import type { PersonalApiKeyCreate } from '../../contract/accounts/api-key.ts'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import type { GrantedScope } from '../../contract/accounts/scope-schema.ts'
import { invalidInput } from '../problems/api-error.ts'
import type { Project } from '../store/accounts/projects.ts'
import type { Caller, Grant } from './caller.ts'

/** Returns the scopes of a new key. @throws ApiError 400 naming the scopes that the caller's key lacks. */
export function grantedScopes(caller: Caller, scopes: readonly GrantedScope[]): GrantedScope[] {
  const lacking = lackingScopes(caller.scopes, scopes)
  if (lacking.length > 0)
    throw invalidInput(`A key can only grant scopes that it has itself, not ${list(lacking)}.`, ['scopes'])
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

/** `held` is text, because a later version may have stored scopes that this one does not know. */
function lackingScopes<Name extends string>(held: readonly string[], wanted: readonly Name[]): Name[] {
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
    throw invalidInput(`A key can only grant ${things} that it can access itself: ${list(own)}.`, [field])
  }
  const beyond = given.filter((id) => !reachable.includes(id))
  if (beyond.length > 0)
    throw invalidInput(`A key can only grant ${things} that it can access itself, not ${list(beyond)}.`, [
      field,
    ])
  return [...new Set(given)]
}

function list(names: readonly (string | number)[]): string {
  return names.map((name) => `'${String(name).slice(0, 100)}'`).join(', ')
}
