import { sql, type Selectable } from 'kysely'
import type { Member } from './users.ts'
import { preparedRowsOf, rowsOf, type Store } from '../schema/database.ts'
import type { ApiKeysTable } from '../schema/account-tables.ts'

export type ApiKey = Selectable<ApiKeysTable>
/** What a user may do in an organization; `role` is null for one who is no member. */
export type RoleColumns = { [Column in 'role' | 'project_roles']: Member[Column] | null }

/** Finds the key with this hash, with what its user may do in the organization; null after the user has left. */
export async function findApiKeyByHash(store: Store, hash: Buffer) {
  const [key] = await preparedRowsOf<ApiKey & RoleColumns>(store)`
    SELECT api_keys.*, role, project_roles FROM api_keys LEFT JOIN members USING (organization_id, user_id)
    WHERE hash = ${hash}`
  return key
}

/** Lists the keys of a member and those of the organization, newest first. */
export async function listApiKeys(
  store: Store,
  { user_id, organization_id }: Pick<ApiKey, 'user_id' | 'organization_id'>,
): Promise<ApiKey[]> {
  return await rowsOf<ApiKey>(store)`
    SELECT * FROM api_keys WHERE organization_id = ${organization_id} AND (user_id = ${user_id} OR is_service)
    ORDER BY created_at DESC, id DESC`
}

/** Records when a key was last used, and from which address; an earlier time never replaces a later one. */
export async function touchApiKey(store: Store, id: string, usedAt: Date, address: string): Promise<void> {
  await sql`UPDATE api_keys SET last_used_at = ${usedAt}, last_used_from = ${address}
    WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${usedAt})`.execute(store)
}
