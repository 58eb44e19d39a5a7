import { sql } from 'kysely'
import type { Store } from '../schema/database.ts'
import { findRow } from '../schema/rows.ts'

/** Finds the organization that was created first. */
export function firstOrganization(store: Store) {
  return findRow(store, 'organizations', {}, sql`ORDER BY created_at, id LIMIT 1`)
}
