import { expect, inject, test } from 'vitest'
import { openPool } from '../engines/postgres.ts'
import { openStore } from '../store/database.ts'
import { downEngine } from './down-engine.ts'

test('a request that outlasts the service finds PostgreSQL unreachable', async () => {
  const pool = openPool(inject('testServerUrl'))
  const read = openStore(pool).selectFrom('projects').select('id')
  await pool.end()
  const error = await read.execute().catch((thrown: unknown) => thrown)
  expect(downEngine(error)).toBe('PostgreSQL')
})
