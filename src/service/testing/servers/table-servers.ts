import type { Pool } from 'pg'
import { adaptedServer, type TableServer } from './table-server.ts'
import { startTestClickhouse } from './test-clickhouse.ts'
import { mysqlUnavailable, startTestMysql } from './test-mysql.ts'
import { createTestPostgres } from './test-postgres.ts'

type Startable = {
  name: string
  /** Why it cannot be started here. */
  unavailable: string | null
  /** @param pool of the tests' own PostgreSQL */
  start(pool: Pool): Promise<TableServer>
}

const startable: readonly Startable[] = [
  { name: 'PostgreSQL', unavailable: null, start: startPostgres },
  { name: 'MariaDB', unavailable: mysqlUnavailable, start: () => startTestMysql() },
  { name: 'ClickHouse', unavailable: null, start: () => startTestClickhouse() },
]

/** Real databases of every type of destination that is a table, if they can be started here. */
export const tableServers = startable.filter(({ name, unavailable }) => {
  if (unavailable !== null) console.warn(`The tests of ${name} are skipped: ${unavailable}.`)
  return unavailable === null
})

async function startPostgres(pool: Pool): Promise<TableServer> {
  const database = await createTestPostgres(pool)
  const { host, port, name, password, query } = database
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const reader = `${name} reader`
  await pool.query(`CREATE ROLE ${quote(reader)} LOGIN PASSWORD E'${password.replaceAll(/['\\]/g, '\\$&')}'`)
  await query(`GRANT USAGE ON SCHEMA public TO ${quote(reader)}`)
  return adaptedServer({
    type: 'Postgres',
    config: { host, port, database: name, user: name },
    password,
    reader,
    quote,
    types: { text: 'text', integer: 'integer', end: '' },
    newest: '',
    commit: { text: 'COMMIT', armedBy: 'INSERT INTO' },
    isTransactional: true,
    query: (sql) => query(sql),
    update: async (table, set, where) => void (await query(`UPDATE ${table} SET ${set} WHERE ${where}`)),
    remove: async (table, where) => void (await query(`DELETE FROM ${table} WHERE ${where}`)),
    close: database.close,
  })
}
