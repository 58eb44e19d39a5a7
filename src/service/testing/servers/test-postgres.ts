import { randomBytes } from 'node:crypto'
import { Client, type Pool } from 'pg'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'

/** A database that a destination writes to, with a user of its own on the test's server. */
export type TestPostgres = Awaited<ReturnType<typeof createTestPostgres>>

/** Creates an empty database and its owner on the server of this pool. */
export async function createTestPostgres(pool: Pool) {
  const name = `warehouse "é" ${randomBytes(4).toString('hex')}`
  const password = `p'"\\ ${randomBytes(8).toString('hex')}`
  const { host, port } = await addressOf(pool)
  const quoted = `"${name.replaceAll('"', '""')}"`
  await pool.query(`CREATE ROLE ${quoted} LOGIN PASSWORD ${literal(password)}`)
  await pool.query(`CREATE DATABASE ${quoted} OWNER ${quoted}`)
  const client = new Client({ host, port, user: name, database: name, password })
  client.on('error', () => undefined)
  await client.connect()
  return {
    host,
    port,
    name,
    password,
    /** Runs a statement as the owner of the database. */
    query: async <Row extends object>(sql: string, values: unknown[] = []) =>
      (await client.query(sql, values)).rows as Row[],
    /** Returns the columns of an export's destination in this database. */
    destination(
      { secrets }: Services,
      config: Record<string, unknown> = {},
      credentials: Record<string, unknown> = {},
    ): Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'destination_secrets'> {
      return {
        destination_type: 'Postgres',
        destination_config: { host, port, database: name, ...config },
        destination_secrets: secrets.seal(JSON.stringify({ user: name, password, ...credentials })),
      }
    },
    close: () => client.end(),
  }
}

async function addressOf(pool: Pool) {
  const client = await pool.connect()
  const { host, port } = client
  client.release()
  return { host, port }
}

function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
