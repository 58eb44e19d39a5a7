import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestService, type TestService } from '../testing/test-service.ts'
import { openStore } from '../store/schema/database.ts'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { readConfig } from '../config.ts'
import { bootstrap } from './bootstrap.ts'

let service: TestService
let engines: TestEngines

beforeAll(async () => {
  service = await createTestService()
  engines = await testEngines()
})
afterAll(async () => {
  await service.stop()
  await engines.cleanup()
})

test('the first start creates an organization, a project and a key; later starts return the same key', async () => {
  const { postgres, secrets } = engines
  const store = openStore(postgres.pool)
  const clock = { now: () => Date.parse('2026-03-04T10:30:00Z') }
  const config = readConfig({ DATABASE_URL: postgres.url })
  const [first, same] = await Promise.all([
    bootstrap({ store, config, secrets, clock }),
    bootstrap({ store, config, secrets, clock }),
  ])
  expect(first.apiKey).toMatch(/^phx_[0-9A-Za-z]{32,}$/)
  expect([first.isFirst, same.isFirst].toSorted()).toEqual([false, true])
  expect({ ...same, isFirst: first.isFirst }).toEqual(first)
  const given = { ...config, bootstrapApiKey: 'phx_given_by_environment' }
  const added = await bootstrap({ store, config: given, secrets, clock })
  expect(added).toMatchObject({ apiKey: 'phx_given_by_environment', projectId: first.projectId })
  const keys = await store.selectFrom('api_keys').select('label').execute()
  expect(keys).toHaveLength(2)
  const installation = await store.selectFrom('installation').selectAll().execute()
  expect(JSON.stringify(installation)).not.toContain('phx_')
})

test('a revoked key is not restored automatically', async () => {
  const first = await bootstrap(service.services)
  expect((await service.request('GET', '/api/users/@me/', { key: first.apiKey })).status).toBe(200)
  await service.services.store.deleteFrom('api_keys').where('label', '=', 'First key').execute()
  const next = await bootstrap(service.services)
  expect(next.apiKey).not.toBe(first.apiKey)
  expect((await service.request('GET', '/api/users/@me/', { key: next.apiKey })).status).toBe(200)
  expect((await service.request('GET', '/api/users/@me/', { key: first.apiKey })).status).toBe(401)
})
