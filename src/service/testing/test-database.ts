import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { openPool } from '../engines/postgres/postgres.ts'
import { openStore } from '../store/schema/database.ts'
import { migrate } from '../store/schema/migrate.ts'

/** A database with all tables, from which those of the tests are cloned: creating the tables takes much longer. */
const template = 'test_template'

/** Creates the template on a server, which from then on loses its data if the machine fails, and vacuums no table. */
export async function createTemplate(serverUrl: string): Promise<void> {
  await saveWork(serverUrl)
  const pool = openPool(await createFrom('template0', serverUrl, template))
  await migrate(openStore(pool, { limitMs: null }))
  await pool.end()
}

/**
 * The data ends with the tests, so it need not reach the disk. Autovacuum would start a process in one of the many databases
 * several times a second.
 */
async function saveWork(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'])
    await client.query(`ALTER SYSTEM SET ${setting} = off`)
  await client.query('ALTER SYSTEM SET file_copy_method = clone')
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}

/** Creates a database on a server, with all tables or empty; resolves to its URL. */
export function createDatabase(serverUrl: string, content: 'tables' | 'empty' = 'tables'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  return createFrom(content === 'tables' ? template : 'template0', serverUrl, name)
}

async function createFrom(source: string, serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE ${source} STRATEGY FILE_COPY`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
