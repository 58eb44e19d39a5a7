import { createHash, randomBytes } from 'node:crypto'
import type { Services } from '../services.ts'
import { newId } from '../store/schema/identifier.ts'
import { actingNow } from '../store/audit/acting.ts'
import { audit } from '../store/audit/audit-entries.ts'
import { inTransaction, type Store } from '../store/schema/database.ts'
import { findRow, insertRow } from '../store/schema/rows.ts'
import { deleteUsedTokens } from '../store/accounts/identity-providers.ts'
import { deleteEndedSessions, type Session } from '../store/accounts/sessions.ts'
import { deleteExpiredInvites } from '../store/accounts/members.ts'
import { deleteExpiredChallenges } from '../store/accounts/passkeys.ts'
import { deleteExpiredTokens } from '../store/accounts/user-tokens.ts'
import type { Client } from './client.ts'
import { sessionMs } from './session-times.ts'

export type NewSession = Pick<Session, 'user_id' | 'organization_id' | 'method'> &
  Partial<Pick<Session, 'key_id' | 'provider' | 'provider_session' | 'second_factor'>>

/** Returns a random secret of 256 bits, for a cookie or a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a token for storage: it is random, so the hash cannot be reversed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Starts a session of a member and sets its cookie. It has a new token, whatever cookie the client sent. */
export async function startSession(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  client: Client,
  session: NewSession,
): Promise<Session> {
  const token = newToken()
  const now = new Date(clock.now())
  const row = await inTransaction(store, async (transaction) => {
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
    await auditSignIn(transaction, inserted)
    return inserted
  })
  client.setToken(token)
  return row
}

async function auditSignIn(store: Store, session: Session): Promise<void> {
  const { id, user_id, organization_id, device, method, key_id, provider, second_factor, created_at } =
    session
  const user = await findRow(store, 'users', { id: user_id })
  const actor = { kind: 'person', id: user_id, name: user?.first_name ?? '' } as const
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
