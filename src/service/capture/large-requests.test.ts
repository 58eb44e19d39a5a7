import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testReplay, type TestReplay } from '../testing/test-replay.ts'

let testing: TestReplay
let port: number

beforeAll(async () => {
  testing = await testReplay()
  await testing.app.listen({ host: '127.0.0.1', port: 0 })
  const address = testing.app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => testing.cleanup())

const body = JSON.stringify({ event: 'a', distinct_id: 'u', token: 'phc_1' })

const post = (payload: string | Buffer) => testing.app.inject({ method: 'POST', url: '/batch/', payload })

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
  const payloads = [batch('plain'), gzipSync(batch('gzip')), Buffer.from(batch('base64')).toString('base64')]
  for (const payload of [...payloads, form(batch('form'))]) expect((await post(payload)).statusCode).toBe(200)
  const rows = await testing.services.warehouse.query(
    `SELECT event, uniqExact(uuid) AS events FROM events WHERE team_id = ${testing.projectId} AND event IN ('plain', 'gzip', 'base64', 'form') GROUP BY event ORDER BY event`,
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

/** Opens a POST of 20 MB on its own connection, without sending any of the body. */
async function unfinishedPost(path: string, header: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: spool\r\ncontent-length: 20000000\r\n${header}\r\n`)
  return socket
}
