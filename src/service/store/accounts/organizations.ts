import type { Insertable, Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { OrganizationsTable } from '../schema/account-tables.ts'

export type Organization = Selectable<OrganizationsTable>

export async function insertOrganization(
  store: Store,
  organization: Insertable<OrganizationsTable>,
): Promise<void> {
  await store.insertInto('organizations').values(organization).execute()
}

/** `id` must be a UUID. */
export function findOrganization(store: Store, id: string): Promise<Organization | undefined> {
  return store.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the organization that was created first; the bootstrap key belongs to it. */
export function firstOrganization(store: Store): Promise<Organization | undefined> {
  return store
    .selectFrom('organizations')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
