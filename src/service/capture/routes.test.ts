import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { openStore } from '../store/database.ts'
import { migrate } from '../store/migrations.ts'
import { createTables } from '../warehouse/tables.ts'
import { captureRoutes } from './routes.ts'

const origin = 'https://shop.example'
let engines: TestEngines
let app: FastifyInstance

beforeAll(async () => {
  engines = await testEngines()
  const store = openStore(engines.postgres.pool)
  await migrate(store)
  await createTables(engines.warehouse)
  const created_at = new Date(0)
  const organization = { id: '00000000-0000-4000-8000-000000000001', name: 'o', created_at }
  await store.insertInto('organizations').values(organization).execute()
  const project = { organization_id: organization.id, name: 'p', api_token: 'phc_1', created_at }
  await store.insertInto('projects').values(project).execute()
  app = Fastify()
  await app.register(captureRoutes({ ...engines, store, clock: { now: () => 1_800_000_000_000 } }))
})

afterAll(async () => {
  await app.close()
  await engines.cleanup()
})

const body = JSON.stringify({ event: 'a', distinct_id: 'u', token: 'phc_1' })

describe.each(['/e', '/i/v0/e', '/capture', '/track', '/engage', '/batch', '/s'])('%s', (path) => {
  test('accepts events by POST and GET, with and without a slash, and lets the page read the response', async () => {
    const data = encodeURIComponent(Buffer.from(body).toString('base64'))
    const responses = await Promise.all([
      app.inject({
        method: 'POST',
        url: path,
        payload: body,
        headers: { origin, 'content-type': 'text/plain' },
      }),
      app.inject({ method: 'POST', url: `${path}/?v=2`, payload: gzipSync(body), headers: { origin } }),
      app.inject({ method: 'GET', url: `${path}/?data=${data}`, headers: { origin } }),
    ])
    for (const response of responses) {
      expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
      expect(response.headers['access-control-allow-origin']).toBe(origin)
    }
  })

  test('answers a preflight', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-a, content-type',
    }
    const response = await app.inject({ method: 'OPTIONS', url: `${path}/`, headers })
    expect(response.statusCode).toBe(204)
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'x-a, content-type',
    })
  })
})

test.each([
  ['', 400, 'request holds no event'],
  [body.replace('phc_1', 'phc_none'), 401, 'API key is not valid'],
  ['{"event":"a","distinct_id":"u"}', 401, 'event submitted without an api_key'],
  ['x'.repeat(20 * 1024 * 1024 + 1), 413, 'request is larger than 20 MB'],
])('rejects invalid requests in plain text that the page may read', async (payload, status, text) => {
  const response = await app.inject({
    method: 'POST',
    url: '/e/',
    payload,
    headers: { origin, 'content-type': 'application/json' },
  })
  expect([response.statusCode, response.body]).toEqual([status, text])
  expect(response.headers['content-type']).toContain('text/plain')
  expect(response.headers['access-control-allow-origin']).toBe(origin)
})

test('asks the client to retry when an engine is down', async () => {
  const { warehouse, postgres } = engines
  const failing = { ...warehouse, insert: () => Promise.reject(new Error('disk full')) }
  const down = Fastify()
  await down.register(
    captureRoutes({
      ...engines,
      store: openStore(postgres.pool),
      warehouse: failing,
      clock: { now: () => 1_800_000_000_000 },
    }),
  )
  const response = await down.inject({ method: 'POST', url: '/e/', payload: body })
  expect([response.statusCode, response.body]).toEqual([
    503,
    'events cannot be stored at the moment, try again',
  ])
})

test('serves the configuration, flags and scripts that start posthog-js', async () => {
  const get = (url: string) => app.inject({ method: 'GET', url, headers: { origin } })
  expect((await get('/array/phc_1/config.js')).statusCode).toBe(404)
  expect((await get('/array/phc_1/config')).json()).toMatchObject({ supportedCompression: ['gzip-js'] })
  expect((await app.inject({ method: 'POST', url: '/flags/?v=2', payload: '{}' })).json()).toMatchObject({
    flags: {},
  })
  expect((await app.inject({ method: 'POST', url: '/decide/', payload: 'x' })).json()).toMatchObject({
    featureFlags: {},
  })
  for (const url of [
    '/static/array.js',
    '/array/phc_1/array.js',
    '/static/recorder.js?v=1.130.2',
    '/static/1.2.3/lazy-recorder.js',
    '/static/posthog-recorder.js?v=1',
  ]) {
    const script = await get(url)
    expect([script.statusCode, script.headers['access-control-allow-origin']]).toEqual([200, origin])
    expect(script.headers['content-type']).toContain('javascript')
  }
  expect((await get('/static/..%2fpackage.json')).statusCode).toBe(404)
  expect((await get('/static/main.js')).statusCode).toBe(404)
})
