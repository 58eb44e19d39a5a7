import { sql, type Insertable, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { UsersTable } from '../schema/account-tables.ts'
import { findRow } from '../schema/rows.ts'

export type UserRow = Selectable<UsersTable>

export async function insertUser(store: Store, user: Insertable<UsersTable>): Promise<void> {
  await store.insertInto('users').values(user).execute()
}

export function findUser(store: Store, id: string): Promise<UserRow> {
  return store.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Finds an organization's first user, who owns the keys created on the command line. */
export function firstUser(store: Store, organizationId: string): Promise<UserRow | undefined> {
  return findRow(store, 'users', { organization_id: organizationId }, sql`ORDER BY created_at, id LIMIT 1`)
}
