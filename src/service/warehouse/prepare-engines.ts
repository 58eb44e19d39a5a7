import type { Engines } from '../engines/engines.ts'
import { createTables } from './tables.ts'
import { openStore } from '../store/schema/database.ts'
import { assertSameEngines } from '../store/schema/engine-identity.ts'
import { migrate } from '../store/schema/migrate.ts'

/**
 * Creates or migrates the tables, after checking that the engines belong together.
 * @throws StartupError when they do not, or when a newer version has migrated the database.
 */
export async function prepareEngines(engines: Pick<Engines, 'postgres' | 'warehouse' | 'objects'>) {
  const { postgres, warehouse, objects } = engines
  // A migration may take minutes, and another process may be in the middle of one.
  const store = openStore(postgres.pool, { limitMs: null })
  await migrate(store)
  await assertSameEngines(store, warehouse, objects)
  await createTables(warehouse)
}
