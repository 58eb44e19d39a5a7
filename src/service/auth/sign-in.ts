import { sql } from 'kysely'
import type { Store } from '../store/schema/database.ts'
import { findRow } from '../store/schema/rows.ts'

const originName = 'origin'

/** Returns a URL that signs in a browser; the dashboard removes the key from its address bar. */
export function signInUrl(origin: string, apiKey: string): string {
  return `${origin}/#key=${apiKey}`
}

/** Stores the origin at which the service was last started, so that the admin command can link to it. */
export async function storeOrigin(store: Store, origin: string): Promise<void> {
  await sql`INSERT INTO installation (name, value) VALUES (${originName}, ${origin})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(store)
}

export async function storedOrigin(store: Store): Promise<string | null> {
  return (await findRow(store, 'installation', { name: originName }))?.value ?? null
}
