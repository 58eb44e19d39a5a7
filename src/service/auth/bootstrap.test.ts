import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestService, type TestService } from '../testing/test-service.ts'
import { openStore } from '../store/schema/database.ts'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { readConfig } from '../config.ts'
import { bootstrap, firstKey } from './bootstrap.ts'
import { createSignInLink } from './sign-in-link.ts'

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

test('the first start creates an organization with an owner and a project, and the key of the environment', async () => {
  const { postgres, secrets } = engines
  const store = openStore(postgres.pool)
  const clock = { now: () => Date.parse('2026-03-04T10:30:00Z') }
  const config = readConfig({ DATABASE_URL: postgres.url })
  const services = { store, config, secrets, clock }
  const [first, same] = await Promise.all([bootstrap(services), bootstrap(services)])
  expect([first.isFirst, same.isFirst].toSorted()).toEqual([false, true])
  expect({ ...same, isFirst: first.isFirst }).toEqual(first)
  const labels = () => store.selectFrom('api_keys').select('label').execute()
  expect(await labels()).toEqual([])
  const given = { ...services, config: { ...config, bootstrapApiKey: 'phx_given_by_environment' } }
  expect(await bootstrap(given)).toMatchObject({ projectId: first.projectId, isFirst: false })
  await bootstrap(given)
  expect(await labels()).toHaveLength(1)
  const [key, again] = await Promise.all([firstKey(services), firstKey(services)])
  expect(key).toMatch(/^phx_[0-9A-Za-z]{32,}$/)
  expect([again, await labels()]).toEqual([key, expect.toSatisfy((all: unknown[]) => all.length === 2)])
  const installation = await store.selectFrom('installation').selectAll().execute()
  expect(JSON.stringify(installation)).not.toContain('phx_')
})

test('a revoked key is not restored automatically', async () => {
  const first = await firstKey(service.services)
  const statusOf = async (key: string) => (await service.request('GET', '/api/users/@me/', { key })).status
  expect(await statusOf(first)).toBe(200)
  await service.services.store.deleteFrom('api_keys').where('label', '=', 'First key').execute()
  const next = await firstKey(service.services)
  expect(next).not.toBe(first)
  expect([await statusOf(next), await statusOf(first)]).toEqual([200, 401])
})

test('a link signs its member in once', async () => {
  const { owner } = await bootstrap(service.services)
  const url = await createSignInLink(service.services, 'http://127.0.0.1:4280', owner)
  expect(url).toMatch(/^http:\/\/localhost:4280\/#link=/)
  const signIn = () =>
    service.request('POST', '/api/sessions/', { body: { link: url.split('#link=')[1] }, key: '' })
  expect([(await signIn()).status, (await signIn()).status]).toEqual([201, 401])
})
