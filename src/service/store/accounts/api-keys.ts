import { sql, type Selectable } from 'kysely'
import { rowsOf, type Store } from '../schema/database.ts'
import type { ApiKeysTable } from '../schema/account-tables.ts'
import { findRows } from '../schema/rows.ts'

export type ApiKey = Selectable<ApiKeysTable>

/** Finds the key with this hash, with its user's organization. */
export async function findApiKeyByHash(store: Store, hash: Buffer) {
  const [key] = await rowsOf<ApiKey & { organization_id: string }>(store)`
    SELECT api_keys.*, organization_id FROM api_keys JOIN users ON users.id = user_id WHERE hash = ${hash}`
  return key
}

/** Lists the keys of a user, newest first. */
export function listApiKeys(store: Store, userId: string): Promise<ApiKey[]> {
  return findRows(store, 'api_keys', { user_id: userId }, sql`ORDER BY created_at DESC, id DESC`)
}

/** Records when a key was last used; an earlier time never replaces a later one. */
export async function touchApiKey(store: Store, id: string, usedAt: Date): Promise<void> {
  await sql`UPDATE api_keys SET last_used_at = ${usedAt}
    WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${usedAt})`.execute(store)
}
