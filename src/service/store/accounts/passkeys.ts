import { sql, type Selectable } from 'kysely'
import type { PasskeyChallengesTable, PasskeysTable } from '../schema/account-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { countOf, findRows } from '../schema/rows.ts'

export type PasskeyRow = Selectable<PasskeysTable>
export type PasskeyChallenge = Selectable<PasskeyChallengesTable>

/** Lists the passkeys of a user, oldest first. */
export function passkeysOf(store: Store, userId: string): Promise<PasskeyRow[]> {
  return findRows(store, 'passkeys', { user_id: userId }, sql`ORDER BY created_at, id`)
}

export function countPasskeys(store: Store, userId: string): Promise<number> {
  return countOf(store, sql`passkeys WHERE user_id = ${userId}`)
}

/** Whether any user has a passkey. */
export async function hasPasskeys(store: Store): Promise<boolean> {
  const rows = await rowsOf(store)`SELECT FROM passkeys LIMIT 1`
  return rows.length > 0
}

/** Deletes a challenge and returns it unless it has expired; of several answers to it, one receives it. */
export async function takeChallenge(
  store: Store,
  { hash, purpose, session_id }: Omit<PasskeyChallenge, 'expires_at'>,
  now: Date,
): Promise<PasskeyChallenge | undefined> {
  const [challenge] = await rowsOf<PasskeyChallenge>(store)`
    DELETE FROM passkey_challenges
    WHERE hash = ${hash} AND purpose = ${purpose} AND session_id IS NOT DISTINCT FROM ${session_id}::uuid
    RETURNING *`
  return challenge && challenge.expires_at > now ? challenge : undefined
}

export async function deleteExpiredChallenges(store: Store, now: Date): Promise<void> {
  await sql`DELETE FROM passkey_challenges WHERE expires_at <= ${now}`.execute(store)
}

/** Notes that a passkey was used; returns false if its counter went back, as that of a copy does. Some always have 0. */
export async function countPasskeyUse(
  store: Store,
  { id }: Pick<PasskeyRow, 'id'>,
  counter: number,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`UPDATE passkeys SET counter = ${counter}, last_used_at = ${now}
    WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0))`.execute(store)
  return numAffectedRows === 1n
}
