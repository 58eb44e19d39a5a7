import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { newId } from '../store/schema/identifier.ts'
import { actingNow } from '../store/audit/acting.ts'
import { audit } from '../store/audit/audit-entries.ts'
import { inTransaction, type Store, type StoreTransaction } from '../store/schema/database.ts'
import { findRow, insertRow } from '../store/schema/rows.ts'
import { deleteUsedTokens } from '../store/accounts/identity-providers.ts'
import { deleteEndedSessions, type Session } from '../store/accounts/sessions.ts'
import { deleteExpiredInvites } from '../store/accounts/members.ts'
import { deleteExpiredChallenges } from '../store/accounts/passkeys.ts'
import { deleteExpiredTokens } from '../store/accounts/user-tokens.ts'
import type { User } from '../store/accounts/users.ts'
import type { Client } from './client.ts'
import { sessionMs } from './session-times.ts'

export type NewSession = Pick<Session, 'user_id' | 'organization_id' | 'method'> &
  Partial<Pick<Session, 'key_id' | 'provider' | 'provider_session' | 'second_factor'>> &
  Proof

/** The password or passkey that was verified: the sign-in fails if it has changed since. */
type Proof = Partial<Pick<User, 'password_hash'>> & { passkey_id?: string }

/** Returns a random secret of 256 bits, for a cookie or a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a token for storage: it is random, so the hash cannot be reversed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Starts a session of a member and sets its cookie. It has a new token, whatever cookie the client sent.
 * @throws ApiError 401 as `provenUser`
 */
export async function startSession(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  client: Client,
  given: NewSession,
): Promise<Session> {
  const { password_hash: _, passkey_id: __, ...session } = given
  const token = newToken()
  const now = new Date(clock.now())
  const row = await inTransaction(store, async (transaction) => {
    const user = await provenUser(transaction, given)
    const inserted = await insertRow(transaction, 'sessions', {
      id: newId(now.getTime()),
      hash: hashToken(token),
      device: client.device,
      address: client.address,
      created_at: now,
      last_used_at: now,
      confirmed_at: now,
      ...session,
    })
    await auditSignIn(transaction, inserted, user)
    return inserted
  })
  client.setToken(token)
  return row
}

/**
 * Returns the user of a sign-in, whose credentials do not change until the transaction ends.
 * @throws ApiError 401 if the password or passkey is another one by now
 */
export async function provenUser(
  transaction: StoreTransaction,
  { user_id, password_hash, passkey_id }: Pick<NewSession, 'user_id' | keyof Proof>,
): Promise<User> {
  const user = await findRow(transaction, 'users', { id: user_id }, sql`FOR SHARE`)
  const isSame = password_hash === undefined || password_hash === user?.password_hash
  const isKept = passkey_id === undefined || (await findRow(transaction, 'passkeys', { id: passkey_id }))
  if (user && isSame && isKept) return user
  throw new ApiError({
    status: 401,
    type: 'authentication_error',
    code: 'sign_in_failed',
    detail: 'How you sign in was changed meanwhile. Sign in again.',
  })
}

async function auditSignIn(store: Store, session: Session, user: User): Promise<void> {
  const { id, user_id, organization_id, device, method, key_id, provider, second_factor, created_at } =
    session
  const actor = { kind: 'person', id: user_id, name: user.first_name } as const
  await audit(store, {
    organizationId: organization_id,
    action: 'sign_in.succeeded',
    at: created_at,
    object: { id, name: device },
    after: {
      method,
      ...(second_factor && { second_factor }),
      ...(key_id && { key: key_id }),
      ...(provider && { provider }),
    },
    acting: { ...actingNow(), actor },
  })
}

/** Deletes the sessions, links, challenges, invites and used tokens that have ended. */
export async function deleteEnded({ store, clock }: Pick<Services, 'store' | 'clock'>): Promise<void> {
  const now = clock.now()
  await deleteEndedSessions(store, new Date(now - sessionMs.idle), new Date(now - sessionMs.longest))
  await deleteExpiredTokens(store, new Date(now))
  await deleteExpiredChallenges(store, new Date(now))
  await deleteExpiredInvites(store, new Date(now))
  await deleteUsedTokens(store, new Date(now))
}

/** Whether a session may still be used at a time (ms). */
export function isAlive(session: Pick<Session, 'created_at' | 'last_used_at'>, now: number): boolean {
  return now < sessionEnd(session).getTime()
}

/** Returns when a session ends unless it is used again. */
export function sessionEnd({ created_at, last_used_at }: Pick<Session, 'created_at' | 'last_used_at'>): Date {
  return new Date(Math.min(last_used_at.getTime() + sessionMs.idle, created_at.getTime() + sessionMs.longest))
}
