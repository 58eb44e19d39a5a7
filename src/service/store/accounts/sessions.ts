import { sql, type Selectable } from 'kysely'
import type { SessionsTable } from '../schema/account-tables.ts'
import { preparedRowsOf, type Store } from '../schema/database.ts'
import { findRow, findRows } from '../schema/rows.ts'
import type { ApiKey } from './api-keys.ts'
import type { Member } from './users.ts'

export type Session = Selectable<SessionsTable>
/** The sessions of a user, or only those for which a key was exchanged. */
export type OwnSessions = { user_id: string; key_id?: string }

type FoundSession = {
  session: Session
  member: Pick<Member, 'role' | 'project_roles'> & { name: string; can_confirm: boolean }
  key: ApiKey | null
}

/** Finds the session with this hash, with its user's name and role, and the key that was exchanged for it. */
export async function findSessionByHash(store: Store, hash: Buffer): Promise<FoundSession | undefined> {
  type Found = Session & FoundSession['member']
  const [found] = await preparedRowsOf<Found>(store)`
    SELECT sessions.*, role, project_roles, coalesce(nullif(first_name, ''), email) AS name,
      password_hash IS NOT NULL OR EXISTS (SELECT FROM passkeys WHERE passkeys.user_id = users.id) AS can_confirm
    FROM sessions JOIN members USING (organization_id, user_id) JOIN users ON users.id = user_id WHERE hash = ${hash}`
  if (!found) return undefined
  const { role, project_roles, name, can_confirm, ...session } = found
  const key = session.key_id === null ? null : await findRow(store, 'api_keys', { id: session.key_id })
  // The key was revoked meanwhile, and the session with it.
  if (key === undefined) return undefined
  return { session, member: { role, project_roles, name, can_confirm }, key }
}

/** Lists the sessions of a user that were used since a time, the last used first. */
export function sessionsOf(store: Store, own: OwnSessions, since: Date): Promise<Session[]> {
  const end = sql`AND last_used_at >= ${since} ORDER BY last_used_at DESC, id`
  return findRows(store, 'sessions', own, end)
}

/** Records when, where and with which device a session was last used. */
export async function touchSession(
  store: Store,
  id: string,
  used: Pick<Session, 'last_used_at' | 'address' | 'device'>,
): Promise<void> {
  await sql`UPDATE sessions SET last_used_at = ${used.last_used_at}, address = ${used.address}, device = ${used.device}
    WHERE id = ${id} AND last_used_at < ${used.last_used_at}`.execute(store)
}

/** Deletes the sessions of a user, but for one. */
export async function endSessions(store: Store, own: OwnSessions, keptId: string | null): Promise<void> {
  const { user_id, key_id = null } = own
  await sql`DELETE FROM sessions WHERE user_id = ${user_id} AND (${key_id}::uuid IS NULL OR key_id = ${key_id})
    AND id IS DISTINCT FROM ${keptId}`.execute(store)
}

/** Deletes the sessions last used or created before these times. */
export async function deleteEndedSessions(store: Store, lastUsed: Date, created: Date): Promise<void> {
  await sql`DELETE FROM sessions WHERE last_used_at < ${lastUsed} OR created_at < ${created}`.execute(store)
}
