import type { Insertable, Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { ApiKeysTable } from '../schema/account-tables.ts'

export type ApiKey = Selectable<ApiKeysTable>

export async function insertApiKey(store: Store, key: Insertable<ApiKeysTable>): Promise<void> {
  await store.insertInto('api_keys').values(key).execute()
}

/** Finds the key with this hash, with its user's organization. */
export function findApiKeyByHash(
  store: Store,
  hash: Buffer,
): Promise<(ApiKey & { organization_id: string }) | undefined> {
  return store
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select('users.organization_id')
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** Lists the keys of a user, newest first. */
export function listApiKeys(store: Store, userId: string): Promise<ApiKey[]> {
  return store
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function findApiKey(store: Store, userId: string, id: string): Promise<ApiKey | undefined> {
  return store
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
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
