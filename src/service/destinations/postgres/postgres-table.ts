import { Readable, type Stream } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { quotePostgres as quote } from '../../../contract/destinations/tables/window-query.ts'
import {
  comparedColumns,
  deliveriesTable,
  windowColumn,
  writtenNames,
  type RowStream,
  type TablePlan,
  type TableStore,
} from '../table-store.ts'
import { endPostgres } from './connect-postgres.ts'
import { createStatement, list, literal, mergeStatement, readExpression } from './postgres-statements.ts'
import { clashOf, postgresType } from './postgres-types.ts'

/** First key of the advisory locks that writers of a table hold. */
const lockSpace = 4291

/** Opens a table over a connection of its own. */
export function openPostgresTable(client: Client, schema: string, name: string): TableStore {
  const table = `${quote(schema)}.${quote(name)}`
  const deliveries = `${quote(schema)}.${quote(deliveriesTable)}`
  return {
    async plan(columns, merge) {
      const compared = comparedColumns(columns, await columnsOf(client, table), {
        typeOf: postgresType,
        clashOf,
      })
      return { table, ddl: createStatement(table, columns, merge), ...compared }
    },
    async load(window, plan, rows, merge) {
      await createMissing(client, { schema, table, deliveries }, plan)
      await client.query('BEGIN')
      // Writers of persons wait for each other, since they can change the same rows.
      await lock(client, merge ? table : window.key)
      if (plan.hasWindows)
        await client.query(`DELETE FROM ${table} WHERE ${quote(windowColumn)} = $1`, [window.key])
      const names = writtenNames(plan)
      if (!merge) return await copyInto(client, table, names, rows)
      const stage = quote('_spool_stage')
      await client.query(
        `CREATE TEMPORARY TABLE ${stage} ON COMMIT DROP AS SELECT ${list(names)} FROM ${table} WHERE false`,
      )
      const loaded = await copyInto(client, stage, names, rows)
      await client.query(mergeStatement(table, stage, names, merge))
      return loaded
    },
    async commit({ exportId, key, runId }, { rows, hash }) {
      await client.query(
        `INSERT INTO ${deliveries} VALUES ($1, $2, $3, $4, $5, now()) ON CONFLICT (export_id, window_key) DO UPDATE
         SET rows = excluded.rows, hash = excluded.hash, run_id = excluded.run_id, written_at = excluded.written_at`,
        [exportId, key, rows, hash, runId],
      )
      await client.query('COMMIT')
    },
    async read({ key }, columns, read) {
      const { to } = await import('pg-copy-streams')
      const fields = columns.map(readExpression).join(', ')
      const rows = client.query(
        to(`COPY (SELECT ${fields} FROM ${table} WHERE ${quote(windowColumn)} = ${literal(key)}) TO STDOUT`),
      )
      failureOf(client, rows).catch((error: Error) => rows.destroy(error))
      await read(rows)
    },
    async close() {
      await endPostgres(client)
    },
  }
}

/** Returns the types of the columns that can be written, by name; null if there is no table. */
async function columnsOf(client: Client, table: string): Promise<Map<string, string> | null> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  )
  return rows.length === 0 ? null : new Map(rows.map((column) => [column.name, column.type]))
}

/** Creates those of both tables that are absent, in a transaction of its own: tables become visible before their first rows. */
async function createMissing(
  client: Client,
  { schema, table, deliveries }: Record<'schema' | 'table' | 'deliveries', string>,
  plan: TablePlan,
): Promise<void> {
  await client.query('BEGIN')
  // Concurrent CREATE TABLE IF NOT EXISTS of one table can fail.
  await lock(client, `create ${schema}`)
  if (!(await columnsOf(client, table))) await client.query(plan.ddl)
  const found = await client.query('SELECT to_regclass($1) AS found', [deliveries])
  if (found.rows[0]?.found === null)
    await client.query(`CREATE TABLE ${deliveries} (export_id uuid NOT NULL, window_key text NOT NULL, rows bigint NOT NULL,
      hash text NOT NULL, run_id uuid NOT NULL, written_at timestamp with time zone NOT NULL, PRIMARY KEY (export_id, window_key))`)
  await client.query('COMMIT')
}

/** Waits until no other transaction writes what the key names; the lock is held until this one ends. */
async function lock(client: Client, key: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockSpace, key])
}

/** Copies rows into columns of a table, and returns their number. */
async function copyInto(client: Client, table: string, names: readonly string[], rows: RowStream) {
  const { from } = await import('pg-copy-streams')
  const copy = client.query(from(`COPY ${table} (${list(names)}) FROM STDIN`))
  const failure = failureOf(client, copy)
  await rows(async (chunks) => {
    const source = Readable.from(chunks, { objectMode: false })
    try {
      await Promise.race([pipeline(source, copy), failure])
    } catch (error) {
      // An error of the rows also makes the server report one.
      throw source.errored ?? error
    } finally {
      // Ends the engine's statement, too, if the server has refused the rows.
      source.destroy()
    }
  })
  return copy.rowCount
}

/** Rejects when a COPY fails, or its connection, even before its rows flow: without a listener, the error would end the process. */
function failureOf(client: Client, copy: Stream): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  copy.on('error', reject)
  client.on('error', reject)
  return promise
}
