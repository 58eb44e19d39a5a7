import { createServer as createHttpServer, type Server } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventType } from '../../replay/recorded/rrweb.ts'
import { openObjects } from '../engines/objects/open-objects.ts'
import { openWarehouse } from '../engines/clickhouse/open-warehouse.ts'
import { openStore } from '../store/schema/database.ts'
import { createServer } from './server.ts'
import { insertBlock, insertRecording } from '../testing/test-recordings.ts'
import { exportInput } from '../testing/test-rows.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server is not listening')
  return address.port
}

/** Returns a port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createHttpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

const authorization = () => ({ authorization: `Bearer ${service.own.api_key}` })

test('without PostgreSQL, the API and /_ready return 503 naming it', async () => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: await closedPort(), user: 'x', database: 'x' })
  const server = await createServer({ ...service.services, store: openStore(pool) })
  const response = await server.inject({ url: '/api/users/@me/', headers: authorization() })
  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject({
    type: 'server_error',
    code: 'engine_unavailable',
    detail: 'PostgreSQL cannot be reached at the moment. Try again shortly.',
  })
  const ready = await server.inject('/_ready')
  expect([ready.statusCode, ready.json()]).toEqual([
    503,
    {
      status: 'unavailable',
      postgresql: { status: 'unavailable', detail: expect.any(String) },
      clickhouse: { status: 'ok' },
      object_storage: { status: 'ok' },
      disk_space: { status: 'ok' },
    },
  ])
  expect((await server.inject('/_health')).statusCode).toBe(200)
  await server.close()
  await pool.end()
})

test('without ClickHouse, checking a query and /_ready return 503 naming it', async () => {
  const pings = createHttpServer((_, response) => response.end('Ok.\n')).listen(0, '127.0.0.1')
  await once(pings, 'listening')
  const config = { ...service.services.config, clickhouseUrl: `http://127.0.0.1:${portOf(pings)}` }
  const warehouse = await openWarehouse(config, null)
  pings.closeAllConnections()
  pings.close()
  await once(pings, 'close')
  const server = await createServer({ ...service.services, warehouse })
  const response = await server.inject({
    method: 'POST',
    url: '/api/projects/@current/batch_exports/',
    headers: authorization(),
    payload: { ...exportInput, hogql_query: 'SELECT event FROM events' },
  })
  expect([response.statusCode, response.json()]).toMatchObject([503, { code: 'engine_unavailable' }])
  expect(response.json()).toMatchObject({
    detail: 'ClickHouse cannot be reached at the moment. Try again shortly.',
  })
  const ready = await server.inject('/_ready')
  expect([ready.statusCode, ready.json()]).toMatchObject([
    503,
    { status: 'unavailable', postgresql: { status: 'ok' }, clickhouse: { status: 'unavailable' } },
  ])
  await server.close()
  await warehouse.close()
})

test('without the object storage, snapshots and /_ready return 503 naming it', async () => {
  let isDown = false
  const bucket = createHttpServer((_, response) =>
    isDown
      ? response.writeHead(503).end()
      : response.end('<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>'),
  )
  bucket.listen(0, '127.0.0.1')
  await once(bucket, 'listening')
  const endpoint = encodeURIComponent(`http://127.0.0.1:${portOf(bucket)}`)
  const objectsUrl = `s3://key:secret@bucket?endpoint=${endpoint}`
  const objects = await openObjects({ ...service.services.config, objectsUrl }, null)
  const recording = await insertRecording(service)
  await insertBlock(service, recording, 0, [['window', { type: EventType.Meta, timestamp: 0, data: {} }]])
  const server = await createServer({ ...service.services, objects })
  const snapshots = () =>
    server.inject({
      url: `/api/projects/${service.own.project_id}/session_recordings/${recording.session_id}/snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=0`,
      headers: authorization(),
    })
  expect((await server.inject('/_ready')).statusCode).toBe(200)
  isDown = true
  const response = await snapshots()
  expect([response.statusCode, response.json()]).toMatchObject([503, { code: 'engine_unavailable' }])
  expect(response.json()).toMatchObject({
    detail: 'The object storage cannot be reached at the moment. Try again shortly.',
  })
  const ready = await server.inject('/_ready')
  expect([ready.statusCode, ready.json()]).toMatchObject([
    503,
    { status: 'unavailable', postgresql: { status: 'ok' }, object_storage: { status: 'unavailable' } },
  ])
  bucket.closeAllConnections()
  bucket.close()
  await once(bucket, 'close')
  expect((await snapshots()).statusCode).toBe(503)
  await server.close()
})

test('rejects malformed HTTP with the usual error body', async () => {
  const server = await createServer(service.services)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(portOf(server.server), '127.0.0.1')
  socket.end('GET /api/ HTTP/1.1\r\nbroken header\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'parse_error', attr: null })
  await server.close()
})

test('compresses long responses for remote clients that accept it', async () => {
  const headers = { ...authorization(), 'accept-encoding': 'gzip, br' }
  const schema = (remoteAddress: string, more = {}) =>
    service.server.inject({ url: '/api/schema/', remoteAddress, headers: { ...headers, ...more } })
  const response = await schema('192.0.2.7')
  expect(response.headers['content-encoding']).toBe('gzip')
  expect(response.rawPayload.length).toBeLessThan(60_000)
  const proxied = await schema('127.0.0.1', { 'x-forwarded-for': '192.0.2.7' })
  expect(proxied.headers['content-encoding']).toBe('gzip')
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect((await schema(address)).headers['content-encoding']).toBeUndefined()
  const short = await service.server.inject({ url: '/_health', remoteAddress: '192.0.2.7', headers })
  expect(short.headers['content-encoding']).toBeUndefined()
})
