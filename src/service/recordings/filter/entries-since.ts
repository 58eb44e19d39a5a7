import { findRow } from '../../store/schema/rows.ts'
import type { Store } from '../../store/schema/database.ts'

const known = new WeakMap<Store, number>()

/**
 * Returns the time (ms since the epoch) from which `session_entries` has all console entries of the recordings that start. A
 * migration of older data has set it; without them, it is 0.
 */
export async function readEntriesSince(store: Store): Promise<number> {
  const since =
    known.get(store) ??
    Number((await findRow(store, 'installation', { name: 'session_entries_since' }))?.value ?? 0)
  known.set(store, since)
  return since
}
