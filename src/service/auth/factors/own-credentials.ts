import { permissionDenied, type ApiError } from '../../problems/api-error.ts'
import { isManagedByProvider } from '../../store/accounts/identity-providers.ts'
import type { Session } from '../../store/accounts/sessions.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Store } from '../../store/schema/database.ts'
import { findRow } from '../../store/schema/rows.ts'
import type { Caller } from '../caller.ts'

/** Returns the session of a person. @throws ApiError 403 for an API key */
export function personsSession({ isPerson, session }: Caller): Session {
  if (!isPerson || !session)
    throw permissionDenied('Only a person who has signed in can use this, not an API key.')
  return session
}

/**
 * Refuses to change how someone signs in who signs in with an identity provider: otherwise the organization that runs it would
 * get into their other organizations, and they would keep access after it has ended theirs. Owners keep credentials of their
 * own, which they change in a session that the provider has not started. @throws ApiError 403
 */
export async function assertOwnCredentials(store: Store, { session, userId }: Caller): Promise<void> {
  if (session?.method !== 'provider' && !(await isManagedByProvider(store, userId))) return
  throw managedByProvider()
}

export function managedByProvider(): ApiError {
  return permissionDenied(
    'Your identity provider manages your e-mail address and how you sign in: change them there.',
  )
}

/** Returns the user whose credentials change. @throws ApiError 403 for a key, and as `assertOwnCredentials` */
export async function credentialsUser(store: Store, caller: Caller): Promise<User> {
  personsSession(caller)
  await assertOwnCredentials(store, caller)
  const user = await findRow(store, 'users', { id: caller.userId })
  if (!user) throw new Error('the caller has no user')
  return user
}
