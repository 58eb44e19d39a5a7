import { sql } from 'kysely'
import type { Store } from '../schema/database.ts'
import { findRow } from '../schema/rows.ts'

/** Finds an organization's first user, who owns the keys created on the command line. */
export function firstUser(store: Store, organizationId: string) {
  return findRow(store, 'users', { organization_id: organizationId }, sql`ORDER BY created_at, id LIMIT 1`)
}
