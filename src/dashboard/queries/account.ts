import type { QueryClient } from '@tanstack/react-query'
import type { User } from '../../contract/accounts/user.ts'
import { endpointQuery } from './endpoint-query.ts'

/** Milliseconds before account data is fetched again; it rarely changes. */
const accountStaleMs = 5 * 60_000

/** The user who signed in, what they may do, and the organization's projects. */
export const userQuery = { ...endpointQuery('getUser', {}), staleTime: accountStaleMs }

/** The destinations and limits of this installation. */
export const instanceQuery = { ...endpointQuery('getInstance', {}), staleTime: accountStaleMs }

/** How people can sign in here. */
export const signInOptionsQuery = { ...endpointQuery('signInOptions', {}), staleTime: accountStaleMs }

/** Forgets all that the service has told a user, before another one signs in. */
export function forgetUser(client: QueryClient): void {
  const [shownToAll] = signInOptionsQuery.queryKey
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== shownToAll })
  client.getMutationCache().clear()
}

/** Returns what the user may do in a project. */
export function scopesIn(user: User, project: { id: number }): readonly string[] {
  return user.scopes_by_team?.[project.id] ?? user.scopes
}

/** Identifies who the service takes a user for: the key with which they signed in, or themselves. */
export function actorIdOf(user: User): string {
  return user.key?.id ?? user.uuid
}
