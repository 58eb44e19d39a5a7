import { sql, type Selectable } from 'kysely'
import type { UserTokensTable } from '../schema/account-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { deleteRows } from '../schema/rows.ts'
import type { User } from './users.ts'

export type UserToken = Selectable<UserTokensTable>

/** Deletes a token and returns it unless it has expired; of several requests with a token, one receives it. */
export async function takeToken(
  store: Store,
  hash: Buffer,
  purpose: UserToken['purpose'],
  now: Date,
): Promise<UserToken | undefined> {
  const [token] = await rowsOf<UserToken>(store)`
    DELETE FROM user_tokens WHERE hash = ${hash} AND purpose = ${purpose} RETURNING *`
  return token && token.expires_at > now ? token : undefined
}

/** Deletes the tokens that have expired. */
export async function deleteExpiredTokens(store: Store, now: Date): Promise<void> {
  await sql`DELETE FROM user_tokens WHERE expires_at <= ${now}`.execute(store)
}

/** Ends the links that were sent to a user, and those on their way. */
export async function endLinks(store: Store, { id, email }: Pick<User, 'id' | 'email'>): Promise<void> {
  // First, because an e-mail that is being sent stores its token while it locks its row.
  await sql`DELETE FROM mails WHERE next_attempt_at IS NOT NULL AND ((kind = 'new address' AND user_id = ${id})
    OR (kind = 'password reset' AND lower(recipient) = lower(${email})))`.execute(store)
  await deleteRows(store, 'user_tokens', { user_id: id })
}
