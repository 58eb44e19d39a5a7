import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
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
import { createTables } from '../warehouse/tables.ts'
import { remoteConfig } from './remote-config.ts'
import { captureRoutes } from './routes.ts'

const origin = 'https://shop.example'
const unlimited = { check: () => undefined, count: () => undefined }
const config = readConfig({})
let engines: TestEngines
let store: Store
let app: FastifyInstance
let port: number
let projectId: number

beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
  await createTables(engines.warehouse)
  const created_at = new Date(0)
  const organization = { id: '00000000-0000-4000-8000-000000000001', name: 'o', created_at }
  await store.insertInto('organizations').values(organization).execute()
  const project = { organization_id: organization.id, name: 'p', api_token: 'phc_1', created_at }
  const inserted = await store
    .insertInto('projects')
    .values(project)
    .returning('id')
    .executeTakeFirstOrThrow()
  projectId = inserted.id
  app = Fastify()
  await app.register(
    captureRoutes({ ...engines, config, store, clock: testClock(1_800_000_000_000) }, unlimited),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
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
  expect([response.statusCode, response.json()]).toEqual([200, remoteConfig(defaultRecordingSettings)])
})

describe('large requests', () => {
  const post = (payload: string | Buffer) => app.inject({ method: 'POST', url: '/batch/', payload })

  test('an unknown token is refused before the rest of the body is decoded', async () => {
    const beginning = '[{"event":"a","distinct_id":"u","token":"phc_none"},'
    const wrong = [beginning, gzipSync(beginning), gzipSync(beginning + '{},'.repeat(1_000_000))]
    for (const payload of wrong) {
      const response = await post(payload)
      expect([response.statusCode, response.body]).toEqual([401, 'API key is not valid'])
    }
  })

  test.each([
    ['the query', '/e/?token=phc_none', ''],
    ['the header', '/e/', 'authorization: Bearer phc_none\r\n'],
    ['the beginning of the body', '/e/', ''],
  ])('an unknown token in %s is refused before the body has arrived', async (_, path, header) => {
    const socket = await unfinishedPost(path, header)
    socket.write(`[{"event":"a","distinct_id":"u","token":"phc_none"},${' '.repeat(20_000)}`)
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1.1 401 .*API key is not valid$/s)
    socket.destroy()
  })

  test('many unfinished bodies do not keep out others', async () => {
    const sockets = await Promise.all(Array.from({ length: 12 }, () => unfinishedPost('/e/', '')))
    const refusals = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) socket.write(`[${' '.repeat(15_000_000)}`)
    expect(String(await Promise.race(refusals))).toMatch(
      /^HTTP\/1.1 503 .*retry-after: 10\r\n.*too much data/is,
    )
    expect((await post(body)).statusCode).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  test('more than 50,000 events are refused', async () => {
    const text = 'request contains more than 50,000 events'
    const event = '{"event":"a","distinct_id":"u"},'
    const snapshot = {
      session_id: 's',
      $snapshot_data: Array.from({ length: 50_001 }, () => ({ type: 4, timestamp: 1 })),
    }
    const replay = { event: '$snapshot', distinct_id: 'u', token: 'phc_1', properties: snapshot }
    for (const payload of [
      gzipSync(`{"batch":[${event.repeat(50_000)}{}],"api_key":"phc_1"}`),
      `[${event.repeat(50_000)}{}]`,
      JSON.stringify([replay]),
    ]) {
      const response = await post(payload)
      expect([response.statusCode, response.body]).toEqual([413, text])
    }
  })

  test('a large batch is stored completely, whatever its encoding', async () => {
    const count = 5000
    const batch = (name: string) =>
      JSON.stringify({
        batch: Array.from({ length: count }, (_, index) => ({ event: name, distinct_id: `u${index}` })),
        api_key: 'phc_1',
      })
    const form = (text: string) => `data=${encodeURIComponent(gzipSync(text).toString('base64'))}`
    const payloads = [
      batch('plain'),
      gzipSync(batch('gzip')),
      Buffer.from(batch('base64')).toString('base64'),
    ]
    for (const payload of [...payloads, form(batch('form'))])
      expect((await post(payload)).statusCode).toBe(200)
    const rows = await engines.warehouse.query(
      `SELECT event, uniqExact(uuid) AS events FROM events WHERE team_id = ${projectId} AND event IN ('plain', 'gzip', 'base64', 'form') GROUP BY event ORDER BY event`,
    )
    expect(rows).toEqual(
      ['base64', 'form', 'gzip', 'plain'].map((event) => expect.objectContaining({ event, events: count })),
    )
  })

  test('a large replay request is stored, and errors in large requests are reported', async () => {
    const events = Array.from({ length: 2000 }, (_, index) => ({
      type: 3,
      timestamp: 1_700_000_000_000 + index,
      data: { source: 1, positions: [{ x: index, y: 1, id: 1, timeOffset: 0 }] },
    }))
    const properties = { $session_id: 'large', $window_id: 'w', $snapshot_data: events, token: 'phc_1' }
    const item = { event: '$snapshot', distinct_id: 'u', properties }
    expect((await post(gzipSync(JSON.stringify([item])))).statusCode).toBe(200)
    const { $session_id: _, ...rest } = properties
    const response = await post(gzipSync(JSON.stringify([{ ...item, properties: rest }])))
    expect([response.statusCode, response.body]).toEqual([400, 'replay event submitted without session id'])
  })
})

/** Opens a POST of 20 MB on its own connection, without sending any of the body. */
async function unfinishedPost(path: string, header: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: spool\r\ncontent-length: 20000000\r\n${header}\r\n`)
  return socket
}
