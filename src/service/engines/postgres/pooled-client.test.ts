import { Client, type Pool } from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openPool } from './postgres.ts'
import { pooledClient, preparedMark } from './pooled-client.ts'

const limitMs = 500
let pool: Pool
/** A connection outside the pool. */
let other: Client

beforeAll(async () => {
  pool = openPool(inject('testServerUrl'))
  other = new Client(inject('testServerUrl'))
  await other.connect()
  await other.query('CREATE TABLE IF NOT EXISTS outcomes (name text)')
})
afterAll(async () => {
  await other.end()
  await pool.end()
})

/** Takes a connection from the pool, with the process id of its backend. */
async function connect(limit: number | null = limitMs) {
  const client = pooledClient(await pool.connect(), limit)
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid', [])
  return { ...client, pid: rows[0]?.pid ?? 0 }
}

async function end(pid: number): Promise<void> {
  await other.query('SELECT pg_terminate_backend($1, 10000)', [pid])
}

test('a connection that breaks while in use, idle or between two statements fails only its own statements', async () => {
  const idle = await connect()
  const betweenStatements = await connect()
  idle.release()
  await betweenStatements.query('BEGIN', [])
  await end(idle.pid)
  await end(betweenStatements.pid)
  await vi.waitFor(() => expect(pool.idleCount).toBe(0))
  await expect(betweenStatements.query('COMMIT', [])).rejects.toThrow(
    /^(terminating connection|Connection terminated|Client has encountered)/,
  )
  betweenStatements.release()

  // The server announces its end before it closes the connection; a released one must not be taken in between.
  for (let time = 0; time < 20; time += 1) {
    const inUse = await connect(null)
    const failed = expect(inUse.query('SELECT pg_sleep(100)', [])).rejects.toThrow('terminating connection')
    const ended = end(inUse.pid)
    await failed
    inUse.release()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await ended
  }
  expect(pool.totalCount).toBe(1)
})

test('a statement that exceeds its limit fails, and its connection is not used again', async () => {
  const client = await connect()
  await expect(client.query('SELECT pg_sleep(100)', [])).rejects.toThrow('Connection terminated')
  await expect(client.query('ROLLBACK', [])).rejects.toThrow('Client was closed')
  client.release()
  const next = await connect()
  expect(next.pid).not.toBe(client.pid)
  next.release()
})

test('a COMMIT that exceeds its limit fails, although it can take effect', async () => {
  const client = await connect()
  await client.query('BEGIN', [])
  await client.query(`INSERT INTO outcomes VALUES ('late')`, [])
  process.kill(client.pid, 'SIGSTOP')
  await expect(client.query('COMMIT', [])).rejects.toThrow('Connection terminated')
  client.release()
  process.kill(client.pid, 'SIGCONT')
  await vi.waitFor(
    async () => expect((await other.query('SELECT name FROM outcomes')).rows).toEqual([{ name: 'late' }]),
    10_000,
  )
})

test.each([
  [true, [`${preparedMark}SELECT $1::int AS one`]],
  [false, []],
])('with prepares %s, a connection keeps the statements %j', async (prepares, kept) => {
  const client = pooledClient(await pool.connect(), limitMs, prepares)
  for (const one of [1, 2]) {
    const { rows } = await client.query(`${preparedMark}SELECT $1::int AS one`, [one])
    expect(rows).toEqual([{ one }])
  }
  const { rows } = await client.query<{ statement: string }>(
    'SELECT statement FROM pg_prepared_statements',
    [],
  )
  expect(rows.map(({ statement }) => statement)).toEqual(kept)
  client.release(true)
})

test('a prepared statement whose columns a migration changes is sent again, and its connection closed afterwards', async () => {
  const text = `${preparedMark}SELECT * FROM migrated`
  await other.query('DROP TABLE IF EXISTS migrated; CREATE TABLE migrated AS SELECT 1 AS one')
  const client = pooledClient(await pool.connect(), limitMs, true)
  expect((await client.query(text, [])).rows).toEqual([{ one: 1 }])
  await other.query('ALTER TABLE migrated ADD two integer')
  for (let time = 0; time < 2; time += 1)
    expect((await client.query(text, [])).rows).toEqual([{ one: 1, two: null }])
  await client.query('BEGIN', [])
  await expect(client.query(text, [])).rejects.toThrow('cached plan must not change result type')
  await client.query('ROLLBACK', [])
  const connections = pool.totalCount
  client.release()
  expect(pool.totalCount).toBe(connections - 1)
})
