import { sql, type Insertable, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { OrganizationsTable } from '../schema/account-tables.ts'
import { findRow } from '../schema/rows.ts'

export type Organization = Selectable<OrganizationsTable>

export async function insertOrganization(store: Store, organization: Insertable<OrganizationsTable>) {
  await store.insertInto('organizations').values(organization).execute()
}

/** `id` must be a UUID. */
export function findOrganization(store: Store, id: string): Promise<Organization | undefined> {
  return findRow(store, 'organizations', { id })
}

/** Finds the organization that was created first; the bootstrap key belongs to it. */
export function firstOrganization(store: Store): Promise<Organization | undefined> {
  return findRow(store, 'organizations', {}, sql`ORDER BY created_at, id LIMIT 1`)
}
