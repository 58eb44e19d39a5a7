import { cached } from '../../store/schema/cached.ts'
import type { Store } from '../../store/schema/database.ts'
import { installationNumber } from '../../store/schema/installation-number.ts'

const name = 'session_entries_since'

/**
 * Returns the start (ms since the epoch) from which recordings have all their console entries in `session_entries`; 0 if the table
 * is as old as the database.
 */
export function readEntriesSince(store: Store): Promise<number> {
  // It never changes while the service runs.
  return cached(store, name, { now: 0, freshMs: Infinity }, () => installationNumber(store, name))
}
