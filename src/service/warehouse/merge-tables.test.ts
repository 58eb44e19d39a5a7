import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { mergeTables } from './merge-tables.ts'
import { createTables } from './tables.ts'

let engines: TestEngines
beforeAll(async () => {
  engines = await testEngines()
  await createTables(engines.warehouse)
})
afterEach(() => engines.warehouse.command('SYSTEM START MERGES'))
afterAll(() => engines.cleanup())

const dayMs = 86_400_000

/** Inserts into a table in three parts, which the engine does not merge by itself yet; returns how many parts it has. */
async function insertParts(table: string, rows: (part: number) => string) {
  // While merges are stopped, one that begins would fail.
  await engines.warehouse.command(`SYSTEM STOP MERGES ${table}`)
  for (const part of [1, 2, 3]) await engines.warehouse.command(`INSERT INTO ${table} ${rows(part)}`)
  return await partsOf(table)
}

async function partsOf(table: string) {
  const query = `SELECT count() AS count FROM system.parts WHERE table = '${table}' AND active`
  return (await engines.warehouse.query<{ count: number }>(query))[0]?.count
}

test('merges a table that is not too large into one part, once its parts are old', async () => {
  const { warehouse, firstProjectId } = engines
  const parts = await insertParts('session_events', (part) => `VALUES (${firstProjectId}, 'seen', '${part}')`)
  const later = Date.now() + dayMs
  await mergeTables(warehouse, Date.now())
  await mergeTables(warehouse, later, { bytesMax: 1 })
  await mergeTables(warehouse, later, { signal: AbortSignal.abort() })
  expect(await partsOf('session_events')).toBe(parts)

  await warehouse.command('SYSTEM START MERGES session_events')
  await mergeTables(warehouse, later)
  expect(await partsOf('session_events')).toBe(1)
  const rows = await warehouse.query(
    `SELECT session_id FROM session_events WHERE team_id = ${firstProjectId}`,
  )
  expect(rows).toHaveLength(3)
})

test('a table that cannot be merged does not keep the others from it', async () => {
  const { warehouse, firstProjectId } = engines
  const parts = await insertParts(
    'console_entries',
    (part) => `(team_id, session_id) VALUES (${firstProjectId}, '${part}')`,
  )
  await insertParts('session_failed_requests', (part) => `VALUES (${firstProjectId}, 'host', 500, '${part}')`)
  await warehouse.command('SYSTEM START MERGES session_failed_requests')
  await expect(mergeTables(warehouse, Date.now() + dayMs)).rejects.toThrow('Cancelled merging parts')
  expect(await partsOf('console_entries')).toBe(parts)
  expect(await partsOf('session_failed_requests')).toBe(1)
})

test('a stop of the service ends the merge', async () => {
  const { warehouse, firstProjectId } = engines
  const parts = await insertParts(
    'session_texts',
    (part) =>
      `SELECT ${firstProjectId}, 'key', toString(cityHash64(number, ${part})), toString(number) FROM numbers(500000)`,
  )
  await warehouse.command('SYSTEM START MERGES session_texts')
  const stop = new AbortController()
  const merging = mergeTables(warehouse, Date.now() + dayMs, { signal: stop.signal })
  await expect
    .poll(() => warehouse.query(`SELECT 1 AS one FROM system.merges WHERE table = 'session_texts'`))
    .toHaveLength(1)
  stop.abort()
  await merging
  expect(await partsOf('session_texts')).toBe(parts)
})
