import { findRow } from '../../store/schema/rows.ts'
import type { Store } from '../../store/schema/database.ts'

const sinceByStore = new WeakMap<Store, number>()

/**
 * Returns the start (ms since the epoch) from which recordings have all their console entries in `session_entries`; 0 if the table
 * is as old as the database.
 */
export async function readEntriesSince(store: Store): Promise<number> {
  const since =
    sinceByStore.get(store) ??
    Number((await findRow(store, 'installation', { name: 'session_entries_since' }))?.value ?? 0)
  sinceByStore.set(store, since)
  return since
}
