import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { mergeTables } from './merge-tables.ts'
import { createTables } from './tables.ts'

let engines: TestEngines
beforeAll(async () => {
  engines = await testEngines()
  await createTables(engines.warehouse)
})
afterAll(() => engines.cleanup())

const dayMs = 86_400_000

test('merges a table that is not too large into one part, once the largest part is a day old', async () => {
  const { warehouse, firstProjectId } = engines
  const count = async (from: string) =>
    (await warehouse.query<{ count: number }>(`SELECT count() AS count FROM ${from}`))[0]?.count
  const parts = () => count(`system.parts WHERE table = 'session_events' AND active`)
  // While merges are stopped, one that begins would fail.
  await warehouse.command('SYSTEM STOP MERGES session_events')
  for (const session_id of ['a', 'b', 'c'])
    await warehouse.insert(
      'session_events',
      JSON.stringify({ team_id: firstProjectId, event: 'seen', session_id }),
    )
  await mergeTables(warehouse, Date.now())
  const later = Date.now() + dayMs + 60_000
  await mergeTables(warehouse, later, 1)
  expect(await parts()).toBeGreaterThanOrEqual(3)

  await warehouse.command('SYSTEM START MERGES session_events')
  await mergeTables(warehouse, later)
  expect(await parts()).toBe(1)
  expect(await count(`session_events WHERE team_id = ${firstProjectId}`)).toBe(3)
})
