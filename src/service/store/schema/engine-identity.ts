import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import type { Objects } from '../../engines/objects/objects.ts'
import { StartupError } from '../../startup-error.ts'
import type { Store, StoreTransaction } from './database.ts'
import { findRow, insertRow } from './rows.ts'

/** An arbitrary lock that nothing else in this database uses. */
const identityLock = sql`pg_advisory_xact_lock(4280, 3)`
const objectKey = 'installation-id'

/** A place other than PostgreSQL that stores data of the installation, and an id. */
type Place = {
  /** Name of the id in PostgreSQL. */
  name: string
  /** Returns the ids stored in the place itself; there are two if two installations first used it at once. */
  read(): Promise<string[]>
  write(id: string): Promise<void>
  /** Why a process with another place cannot start. */
  refusal: string
}

/**
 * Checks that the warehouse and the object store are those of this PostgreSQL database: otherwise two processes would each
 * acknowledge data that the other never sees. The first process to start stores their ids.
 * @throws StartupError when PostgreSQL knows another warehouse or object store.
 */
export async function assertSameEngines(store: Store, warehouse: Warehouse, objects: Objects): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await sql`SELECT ${identityLock}`.execute(transaction)
    for (const place of [warehousePlace(warehouse), objectsPlace(objects)])
      await assertSame(transaction, place)
  })
}

async function assertSame(transaction: StoreTransaction, place: Place): Promise<void> {
  const { name } = place
  const known = await findRow(transaction, 'installation', { name })
  const ids = await place.read()
  if (known && ids.includes(known.value)) return
  if (known) throw new StartupError(place.refusal)
  const id = ids[0] ?? randomUUID()
  if (ids.length === 0) await place.write(id)
  await insertRow(transaction, 'installation', { name, value: id })
}

function warehousePlace(warehouse: Warehouse): Place {
  return {
    name: 'warehouse_id',
    async read() {
      await warehouse.command(
        'CREATE TABLE IF NOT EXISTS installation (name String, value String) ENGINE = MergeTree ORDER BY name',
      )
      const rows = await warehouse.query<{ value: string }>(
        `SELECT value FROM installation WHERE name = 'id' ORDER BY value`,
      )
      return rows.map(({ value }) => value)
    },
    write: (value) => warehouse.insert('installation', JSON.stringify({ name: 'id', value })),
    refusal:
      'This process uses a different ClickHouse from the one with the events of this PostgreSQL database: set CLICKHOUSE_URL (or, without it, SPOOL_DATA_DIR) to the same value as in the other processes.',
  }
}

function objectsPlace(objects: Objects): Place {
  return {
    name: 'objects_id',
    async read() {
      const id = await objects.get(objectKey)
      return id ? [id.toString()] : []
    },
    write: (id) => objects.put(objectKey, Buffer.from(id)),
    refusal:
      'This process uses a different object store from the one with the recordings of this PostgreSQL database: set SPOOL_OBJECTS_URL (or, without it, SPOOL_DATA_DIR) to the same value as in the other processes.',
  }
}
