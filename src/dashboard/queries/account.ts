import { endpointQuery } from './endpoint-query.ts'

/** Milliseconds before account data is fetched again; it rarely changes. */
const accountStaleMs = 5 * 60_000

/** The user who owns the key, with the organization's projects. */
export const userQuery = { ...endpointQuery('getUser', {}), staleTime: accountStaleMs }

/** The key itself: its label, scopes and limits. */
export const currentKeyQuery = { ...endpointQuery('getCurrentApiKey', {}), staleTime: accountStaleMs }

/** The destinations and limits of this installation. */
export const instanceQuery = { ...endpointQuery('getInstance', {}), staleTime: accountStaleMs }
