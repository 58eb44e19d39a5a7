import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { readConfig } from '../../config.ts'
import { startLoops } from '../../start-loops.ts'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { openStore, type Store } from '../../store/schema/database.ts'
import { createTables } from '../../warehouse/tables.ts'
import { importLoop, requestImport } from './import-job.ts'

const pace = { pollMs: 5, unservedMsMax: 50 }
let engines: TestEngines
let store: Store
let file: string
let projectId: number

beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
  await createTables(engines.warehouse)
  const organization = { id: '00000000-0000-4000-8000-000000000001', name: 'o', created_at: new Date(0) }
  await store.insertInto('organizations').values(organization).execute()
  const project = { organization_id: organization.id, name: 'p', api_token: 'phc_1', created_at: new Date(0) }
  const inserted = await store
    .insertInto('projects')
    .values(project)
    .returning('id')
    .executeTakeFirstOrThrow()
  projectId = inserted.id
  file = join(engines.dataDirectory?.path ?? '', 'events.jsonl')
  const uuid = '00000000-0000-4000-8000-00000000000a'
  await writeFile(
    file,
    JSON.stringify({ uuid, event: 'a', distinct_id: 'u', timestamp: '2026-01-01T00:00:00Z' }),
  )
})

afterAll(() => engines.cleanup())

test('imports a file for a command and reports its errors', async () => {
  const { warehouse } = engines
  const logger = pino({ level: 'silent' })
  const importing = { logger, store, warehouse, clock: systemClock, config: readConfig({}) }
  const imports = startLoops(importing, [importLoop(importing, pace)])
  const patient = { ...pace, unservedMsMax: 20_000 }
  expect(await requestImport(store, { projectId, file }, patient)).toEqual({ events: 1 })
  await expect(requestImport(store, { projectId, file: `${file}.none` }, patient)).rejects.toThrow(
    'There is no file',
  )
  await imports.stop()
  expect(await store.selectFrom('event_imports').selectAll().execute()).toEqual([])
})

test('stops waiting for a service that does not respond', async () => {
  await expect(requestImport(store, { projectId, file }, pace)).rejects.toThrow('does not respond')
})
