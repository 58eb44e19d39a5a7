import type { Insertable, Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { UsersTable } from '../schema/account-tables.ts'

export type UserRow = Selectable<UsersTable>

export async function insertUser(store: Store, user: Insertable<UsersTable>): Promise<void> {
  await store.insertInto('users').values(user).execute()
}

export function findUser(store: Store, id: string): Promise<UserRow> {
  return store.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Finds an organization's first user, who owns the keys created on the command line. */
export function firstUser(store: Store, organizationId: string): Promise<UserRow | undefined> {
  return store
    .selectFrom('users')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
