import { endpointQuery } from './endpoint-query.ts'

const rarelyChanges = 5 * 60_000

/** The user behind the key, with the organization's projects. */
export const userQuery = { ...endpointQuery('getUser', {}), staleTime: rarelyChanges }

/** The key itself: its label, scopes and limits. */
export const currentKeyQuery = { ...endpointQuery('getCurrentApiKey', {}), staleTime: rarelyChanges }

/** What this installation offers. */
export const instanceQuery = { ...endpointQuery('getInstance', {}), staleTime: rarelyChanges }
