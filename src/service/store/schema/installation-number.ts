import type { Store } from './database.ts'
import { findRow } from './rows.ts'

/** Returns the number that the table `installation` has under a name; 0 if it has none. */
export async function installationNumber(store: Store, name: string): Promise<number> {
  return Number((await findRow(store, 'installation', { name }))?.value ?? 0)
}
