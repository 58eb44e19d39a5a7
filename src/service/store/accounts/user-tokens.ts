import { sql, type Selectable } from 'kysely'
import type { UserTokensTable } from '../schema/account-tables.ts'
import { rowsOf, type Store } from '../schema/database.ts'

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
