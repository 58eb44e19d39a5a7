import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { openPool } from '../engines/postgres/postgres.ts'
import { openStore } from '../store/schema/database.ts'
import { downEngine } from './down-engine.ts'

test('a request that outlasts the service finds PostgreSQL unreachable', async () => {
  const pool = openPool(inject('testServerUrl'))
  const read = openStore(pool).selectFrom('projects').select('id')
  await pool.end()
  const error = await read.execute().catch((thrown: unknown) => thrown)
  expect(downEngine(error)).toBe('PostgreSQL')
})

test('a statement with too many parameters does not mean that PostgreSQL is down', async () => {
  const pool = openPool(inject('testServerUrl'))
  const values = Array<number>(70_000).fill(1)
  const error = await sql`SELECT 1 WHERE 1 IN (${sql.join(values)})`
    .execute(openStore(pool))
    .catch((thrown: unknown) => thrown)
  await pool.end()
  expect(error).toMatchObject({ code: '08P01' })
  expect(downEngine(error)).toBeNull()
})
