import { sql } from 'kysely'
import { countOf, deleteRows } from '../schema/rows.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { User } from './users.ts'
import type { UserToken } from './user-tokens.ts'

/** Wrong codes of a sign-in that end it. */
const stepTriesMax = 5
/** Wrong codes of a user in the time `codeTriesMs`, in any sign-in, after which the user waits. */
export const codeTriesMax = 10
export const codeTriesMs = 3_600_000

/** Counts a code for a sign-in before it is checked. Returns the sign-in's token; undefined after the last try. */
export async function countStepTry(store: Store, hash: Buffer, now: Date): Promise<UserToken | undefined> {
  const [token] = await rowsOf<UserToken>(store)`
    UPDATE user_tokens SET tries = tries + 1
    WHERE hash = ${hash} AND purpose = 'second factor' AND expires_at > ${now} AND tries < ${stepTriesMax}
    RETURNING *`
  return token
}

export function isLastTry({ tries }: UserToken): boolean {
  return tries >= stepTriesMax
}

/** Counts a code of a user before it is checked. Returns whether it may be: requests at the same time wait for each other. */
export async function countCodeTry(store: Store, { id }: Pick<User, 'id'>, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - codeTriesMs)
  const isRecent = sql`code_tries_since > ${since}`
  const { numAffectedRows } = await sql`
    UPDATE users SET code_tries = CASE WHEN ${isRecent} THEN code_tries + 1 ELSE 1 END,
      code_tries_since = CASE WHEN ${isRecent} THEN code_tries_since ELSE ${now} END
    WHERE id = ${id} AND (code_tries < ${codeTriesMax} OR (${isRecent}) IS NOT TRUE)`.execute(store)
  return numAffectedRows === 1n
}

/** Notes the time step of a right code; returns false if a code of it or of a later one has been used. */
export async function spendTimeStep(
  store: Store,
  { id, totp_secret }: Pick<User, 'id' | 'totp_secret'>,
  step: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`UPDATE users SET totp_step = ${step}, code_tries = 0
    WHERE id = ${id} AND totp_secret = ${totp_secret} AND (totp_step IS NULL OR totp_step < ${step})`.execute(
    store,
  )
  return numAffectedRows === 1n
}

/** Deletes a recovery code of a user and returns whether it existed; of several requests, one uses it. */
export async function takeRecoveryCode(
  store: Store,
  { id }: Pick<User, 'id'>,
  hash: Buffer,
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`DELETE FROM recovery_codes WHERE user_id = ${id} AND hash = ${hash}`.execute(store)
  if (numAffectedRows !== 1n) return false
  await sql`UPDATE users SET code_tries = 0 WHERE id = ${id}`.execute(store)
  return true
}

/** Replaces the recovery codes of a user. */
export async function storeRecoveryCodes(
  transaction: StoreTransaction,
  user_id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await deleteRows(transaction, 'recovery_codes', { user_id })
  await transaction
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id, hash })))
    .execute()
}

export function countRecoveryCodes(store: Store, userId: string): Promise<number> {
  return countOf(store, sql`recovery_codes WHERE user_id = ${userId}`)
}

/** Removes the second factor of a user. */
export async function removeSecondFactor(store: Store, userId: string): Promise<void> {
  await sql`UPDATE users SET totp_secret = NULL, totp_new_secret = NULL, totp_step = NULL, code_tries = 0
    WHERE id = ${userId}`.execute(store)
  await deleteRows(store, 'recovery_codes', { user_id: userId })
}
