import { sql } from 'kysely'
import { permissionDenied, type ApiError } from '../../problems/api-error.ts'
import { isManagedByProvider } from '../../store/accounts/identity-providers.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Store, StoreTransaction } from '../../store/schema/database.ts'
import { findRow } from '../../store/schema/rows.ts'
import { endedSession } from '../authenticate.ts'
import { personsSession, type Caller } from '../caller.ts'

/** Returns the caller's user. @param end the end of the statement, such as a lock */
export async function userOfCaller(store: Store, { userId }: Caller, end = sql``): Promise<User> {
  const user = await findRow(store, 'users', { id: userId }, end)
  if (!user) throw new Error('the caller has no user')
  return user
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
  return userOfCaller(store, caller)
}

/**
 * Returns the caller's user, whom no other request changes until the transaction ends.
 * @throws ApiError 401 if another request has ended the session meanwhile, 403 for a key
 */
export async function lockUser(transaction: StoreTransaction, caller: Caller): Promise<User> {
  const { id } = personsSession(caller)
  const user = await userOfCaller(transaction, caller, sql`FOR NO KEY UPDATE`)
  if (!(await findRow(transaction, 'sessions', { id }))) throw endedSession()
  return user
}

/** Returns the user whose credentials the transaction changes. @throws ApiError as `lockUser` and `assertOwnCredentials` */
export async function lockCredentials(transaction: StoreTransaction, caller: Caller): Promise<User> {
  const user = await lockUser(transaction, caller)
  await assertOwnCredentials(transaction, caller)
  return user
}
