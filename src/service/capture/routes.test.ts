import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { ClickHouseError } from '@clickhouse/client'
import { Pool } from 'pg'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { testClock } from '../testing/test-clock.ts'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { openStore, type Store } from '../store/schema/database.ts'
import { defaultRecordingSettings } from '../../contract/recordings/recording-settings.ts'
import { changeRecordingSettings } from '../store/recordings/recording-settings.ts'
import { defaultPrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import { changePrivacySettings } from '../store/privacy/privacy-settings.ts'
import { createTables } from '../warehouse/tables.ts'
import { recorderAddition } from './recorder-addition.ts'
import { remoteConfig } from './remote-config.ts'
import { captureRoutes } from './routes.ts'

const origin = 'https://shop.example'
const unlimited = { check: () => undefined, count: () => undefined }
const config = readConfig({})
let engines: TestEngines
let store: Store
let app: FastifyInstance

beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
  await createTables(engines.warehouse)
  const created_at = new Date(0)
  const organization = { id: '00000000-0000-4000-8000-000000000001', name: 'o', created_at }
  await store.insertInto('organizations').values(organization).execute()
  const project = { organization_id: organization.id, name: 'p', api_token: 'phc_1', created_at }
  await store.insertInto('projects').values(project).execute()
  app = Fastify()
  await app.register(
    captureRoutes({ ...engines, config, store, clock: testClock(1_800_000_000_000) }, unlimited),
  )
})

afterAll(async () => {
  await app.close()
  await engines.cleanup()
})

const body = JSON.stringify({ event: 'a', distinct_id: 'u', token: 'phc_1' })

describe.each(['/e', '/i/v0/e', '/i/v0/ai/batch', '/capture', '/track', '/engage', '/batch', '/s'])(
  '%s',
  (path) => {
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
  },
)

test.each([
  ['', 400, 'request holds no event'],
  [body.replace('phc_1', 'phc_none'), 401, 'API key is not valid'],
  [body.replace('phc_1', '\\u0000'), 401, 'API key is not valid'],
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

test.each([
  [new Error('down'), 'events cannot be stored at the moment, try again'],
  [
    new ClickHouseError({ code: '243', type: 'NOT_ENOUGH_SPACE', message: 'Cannot reserve 1.00 MiB' }),
    'The disk of the data directory (ClickHouse) is full: free some space, then try again.',
  ],
])('asks the client to retry when an engine fails: %s', async (failure, reason) => {
  const { warehouse, postgres } = engines
  const failing = { ...warehouse, insert: () => Promise.reject(failure) }
  const down = Fastify()
  await down.register(
    captureRoutes(
      {
        ...engines,
        config,
        store: openStore(postgres.pool),
        warehouse: failing,
        clock: testClock(1_800_000_000_000),
      },
      unlimited,
    ),
  )
  const response = await down.inject({ method: 'POST', url: '/e/', payload: body })
  expect([response.statusCode, response.body]).toEqual([503, reason])
})

test('serves the configuration, flags and scripts that start posthog-js', async () => {
  const get = (url: string) => app.inject({ method: 'GET', url, headers: { origin } })
  const config = (await get('/array/phc_1/config')).json()
  expect(config).toMatchObject({ supportedCompression: ['gzip-js'] })
  const script = await get('/array/phc_1%22%3C/config.js')
  expect(script.headers['content-type']).toMatch(/^text\/javascript/)
  const window: Record<string, unknown> = {}
  runInNewContext(script.payload, { window })
  expect(window).toEqual({ _POSTHOG_REMOTE_CONFIG: { 'phc_1"<': { config, siteApps: [] } } })
  const post = async (url: string) => (await app.inject({ method: 'POST', url, payload: '{}' })).json()
  const flags = { errorsWhileComputingFlags: false, flags: {}, requestId: expect.any(String) }
  expect(await post('/flags/?v=2')).toEqual(flags)
  expect(await post('/flags/?v=2&config=true')).toEqual({ ...config, ...flags })
  expect(await post('/decide/?v=3')).toEqual({ ...config, ...flags, featureFlags: {} })
  expect((await get('/api/surveys/?token=phc_1')).json()).toEqual({ surveys: [] })
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
  for (const recorder of ['lazy-recorder', 'posthog-recorder'])
    expect((await get(`/static/${recorder}.js`)).payload).toContain(recorderAddition)
  expect((await get('/static/..%2fpackage.json')).statusCode).toBe(404)
  expect((await get('/static/main.js')).statusCode).toBe(404)
})

test('the configuration contains the recording settings of the token’s project', async () => {
  const created_at = new Date(0)
  const organization_id = '00000000-0000-4000-8000-000000000001'
  const project = { organization_id, name: 'Recording more', api_token: 'phc_more', created_at }
  const { id } = await store.insertInto('projects').values(project).returning('id').executeTakeFirstOrThrow()
  await changeRecordingSettings(store, id, { canvas: true, network_bodies: true })
  const configOf = async (token: string) =>
    (await app.inject({ method: 'GET', url: `/array/${token}/config` })).json()
  const off = { recordCanvas: false, networkPayloadCapture: { recordHeaders: false, recordBody: false } }
  for (const token of ['phc_1', 'phc_none', '%00'])
    expect(await configOf(token)).toMatchObject({
      sessionRecording: off,
      capturePerformance: { network_timing: true },
    })
  expect(await configOf('phc_more')).toMatchObject({
    sessionRecording: {
      recordCanvas: true,
      canvasFps: 3,
      canvasQuality: '0.4',
      networkPayloadCapture: { recordHeaders: false, recordBody: true },
    },
  })
  await changeRecordingSettings(store, id, { page_state: false })
  const masks = {
    mask_inputs: false,
    masked_input_types: ['email' as const],
    masked_selectors: ['.name', '#id'],
  }
  await changePrivacySettings(store, id, {
    ...masks,
    blocked_selectors: ['.card'],
    blocked_urls: ['/account/'],
  })
  const [plain, masking] = await Promise.all(['phc_1', 'phc_more'].map(configOf))
  expect(plain).toMatchObject({ sessionRecording: { masking: { maskAllInputs: true }, urlBlocklist: [] } })
  expect(masking).toMatchObject({
    sessionRecording: {
      masking: {
        maskAllInputs: false,
        maskTextSelector: '.name,#id',
        blockSelector: '.card,input[type="email"]',
      },
      urlBlocklist: [{ url: '/account/', matching: 'regex' }],
    },
  })
  expect(await configOf('phc_1')).toMatchObject({ sessionRecording: { pageState: true } })
  expect(await configOf('phc_more')).toMatchObject({ sessionRecording: { pageState: false } })
  const script = await app.inject({ method: 'GET', url: '/array/phc_more/config.js' })
  expect(script.payload).toContain('"recordCanvas":true')
  const body = JSON.stringify({ token: 'phc_more', distinct_id: 'u' })
  const form = `data=${encodeURIComponent(Buffer.from(body).toString('base64'))}`
  for (const url of ['/flags/?v=2&config=true', '/decide/?v=3'])
    for (const payload of [body, gzipSync(body), form]) {
      const response = await app.inject({ method: 'POST', url, payload })
      expect(response.json()).toMatchObject({ sessionRecording: { recordCanvas: true } })
    }
  const unreadable = await app.inject({ method: 'POST', url: '/decide/', payload: 'x' })
  expect(unreadable.json()).toMatchObject({ sessionRecording: off })
})

test('the configuration contains the default settings while the store is down', async () => {
  const down = Fastify()
  const failing = openStore(new Pool({ host: '127.0.0.1', port: 1 }))
  await down.register(captureRoutes({ ...engines, config, store: failing, clock: testClock(0) }, unlimited))
  const response = await down.inject({ method: 'GET', url: '/array/phc_1/config' })
  expect([response.statusCode, response.json()]).toEqual([
    200,
    remoteConfig(defaultRecordingSettings, defaultPrivacySettings),
  ])
})
