import { sql, type Insertable, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { ApiKeysTable } from '../schema/account-tables.ts'
import { findRow, findRows } from '../schema/rows.ts'

export type ApiKey = Selectable<ApiKeysTable>

export async function insertApiKey(store: Store, key: Insertable<ApiKeysTable>): Promise<void> {
  await store.insertInto('api_keys').values(key).execute()
}

/** Finds the key with this hash, with its user's organization. */
export async function findApiKeyByHash(store: Store, hash: Buffer) {
  const { rows } = await sql<ApiKey & { organization_id: string }>`
    SELECT api_keys.*, organization_id FROM api_keys JOIN users ON users.id = user_id WHERE hash = ${hash}`.execute(
    store,
  )
  return rows[0]
}

/** Lists the keys of a user, newest first. */
export function listApiKeys(store: Store, userId: string): Promise<ApiKey[]> {
  return findRows(store, 'api_keys', { user_id: userId }, sql`ORDER BY created_at DESC, id DESC`)
}

export function findApiKey(store: Store, userId: string, id: string): Promise<ApiKey | undefined> {
  return findRow(store, 'api_keys', { user_id: userId, id })
}

export async function deleteApiKey(store: Store, userId: string, id: string): Promise<void> {
  await store.deleteFrom('api_keys').where('user_id', '=', userId).where('id', '=', id).execute()
}

/** Records when a key was last used; an earlier time never replaces a later one. */
export async function touchApiKey(store: Store, id: string, usedAt: Date): Promise<void> {
  await store
    .updateTable('api_keys')
    .set({ last_used_at: usedAt })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', usedAt)]))
    .execute()
}
