import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventType, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import { bodyLimit } from '../read-body.ts'
import { recorded, snapshotItem, start, testReplay, type TestReplay } from '../../testing/test-replay.ts'

let testing: TestReplay
beforeAll(async () => {
  testing = await testReplay()
})
afterAll(() => testing.cleanup())

const click = recorded.interaction(0, MouseInteractions.Click)
const snapshot = (properties: object) => ({ ...snapshotItem('s', { events: [click] }), properties })

const badSession = 'replay event submitted with an invalid session id'

describe('rejects a whole request with an invalid replay item:', () => {
  test.each<[string, object, string]>([
    [
      'no data',
      snapshot({ $session_id: 's', distinct_id: 'u' }),
      'replay event submitted without snapshot data',
    ],
    [
      'a string as data',
      snapshot({ $snapshot_data: 'x', $session_id: 's', distinct_id: 'u' }),
      'replay event submitted without snapshot data',
    ],
    [
      'no session',
      snapshot({ $snapshot_data: [click], distinct_id: 'u' }),
      'replay event submitted without session id',
    ],
    [
      'no distinct id',
      snapshot({ $snapshot_data: [click], $session_id: 's' }),
      'event submitted without a distinct_id',
    ],
    ['a session with a slash', snapshotItem('a/b', { events: [click] }), badSession],
    ['a session with a control character', snapshotItem('a\n', { events: [click] }), badSession],
    ['a session with NUL', snapshotItem('a\0b', { events: [click] }), badSession],
    ['a long session', snapshotItem('x'.repeat(101), { events: [click] }), badSession],
    [
      'a number as session',
      snapshot({ $snapshot_data: [click], $session_id: 7, distinct_id: 'u' }),
      badSession,
    ],
    [
      'a number as window',
      snapshot({ $snapshot_data: [click], $session_id: 's', $window_id: 7, distinct_id: 'u' }),
      'replay event submitted with an invalid window id',
    ],
  ])('%s', async (_, item, text) => {
    const session = randomUUID()
    const good = snapshotItem(session, { events: [click] })
    expect(await testing.post(JSON.stringify({ api_key: 'phc_1', batch: [good, item] }))).toEqual({
      status: 400,
      text,
    })
    await expect(testing.recording(session)).rejects.toThrow('no result')
    await testing.send([good])
    expect(await testing.blocks(session)).toHaveLength(1)
  })
})

describe('drops and counts an invalid event, but none of those around it:', () => {
  test.each<[string, unknown]>([
    ['a string', 'x'],
    ['null', null],
    ['a list', [click]],
    ['no type', { timestamp: start }],
    ['a string as type', { ...click, type: '3' }],
    ['a fractional type', { ...click, type: 2.5 }],
    ['an unknown type', { ...click, type: 21 }],
    ['no timestamp', { type: EventType.IncrementalSnapshot }],
    ['a string as timestamp', { ...click, timestamp: '2026-01-01' }],
    ['a time in 1970', { ...click, timestamp: 1000 }],
    ['seconds', { ...click, timestamp: start / 1000 }],
    ['microseconds', { ...click, timestamp: start * 1000 }],
    ['null as data', { ...click, data: null }],
    ['a number as data', { ...click, data: 7, cv: '2024-10' }],
    ['a string as data', { ...click, data: 'x' }],
    ['a number as cv', { ...click, cv: 1 }],
  ])('%s', async (_, bad) => {
    const session = randomUUID()
    const other = recorded.interaction(5, MouseInteractions.Click)
    const properties = { $snapshot_data: [click, bad, other], $session_id: session, distinct_id: 'u' }
    await testing.send([snapshot(properties)])
    expect(await testing.recording(session)).toMatchObject({ click_count: 2, dropped_events: 1 })
    const lines = [click, other].map((event) => JSON.stringify([session, event]))
    expect(await testing.blocks(session)).toEqual([lines.join('\n')])
  })
})

test('counts the events of an item without valid events, once the session has a recording', async () => {
  const session = randomUUID()
  const bad = snapshot({ $snapshot_data: [null, {}], $session_id: session, distinct_id: 'u' })
  await testing.send([bad])
  await expect(testing.recording(session)).rejects.toThrow('no result')
  await testing.send([bad, snapshotItem(session, { events: [click] })])
  await testing.send([bad])
  expect(await testing.recording(session)).toMatchObject({
    click_count: 1,
    block_count: 1,
    dropped_events: 4,
  })
})

describe('stores nothing from an unreadable body and accepts the next request:', () => {
  const body = JSON.stringify({ api_key: 'phc_1', batch: [snapshotItem('s', { events: [click] })] })
  const compressed = gzipSync(body)
  const padded = (size: number) => body.replace('"id":7', `"id":"${'x'.repeat(size)}"`)
  // Without a uuid, the item is serialised again.
  const numbers = body
    .replace(/"uuid":"[^"]*",/, '')
    .replace('"id":7', `"id":[${'1e20,'.repeat(4_000_000)}0]`)
  test.each<[string, string | Buffer, number, string | RegExp]>([
    ['truncated gzip', compressed.subarray(0, -20), 400, 'failed to decode request: invalid gzip data'],
    [
      'corrupt gzip',
      Buffer.concat([compressed.subarray(0, 30), Buffer.alloc(60, 1)]),
      400,
      /invalid gzip data/,
    ],
    ['truncated JSON', body.slice(0, -9), 400, 'failed to parse request: it is not valid JSON'],
    ['25 MB', padded(25_000_000), 413, 'request is larger than 20 MB'],
    ['25 MB, compressed', gzipSync(padded(25_000_000)), 413, 'request is larger than 20 MB'],
    ['numbers that grow when serialised', numbers, 413, 'request contains too much replay data'],
    ['deep nesting', body.replace('"id":7', `"id":${'['.repeat(1200)}${']'.repeat(1200)}`), 400, /nested/],
  ])('%s', async (_, bytes, status, text) => {
    const response = await testing.post(bytes)
    expect(response).toEqual({ status, text: expect.stringMatching(text) })
    await expect(testing.recording('s')).rejects.toThrow('no result')
    const session = randomUUID()
    await testing.send([snapshotItem(session, { events: [click] })])
    expect(await testing.recording(session)).toMatchObject({ click_count: 1 })
  })

  test('many gzip bombs at the same time', async () => {
    const bomb = gzipSync(Buffer.alloc(bodyLimit + 1, 32))
    const before = process.memoryUsage().rss
    const responses = await Promise.all(Array.from({ length: 100 }, () => testing.post(bomb)))
    const statuses = new Set(responses.map(({ status }) => status))
    // Bodies beyond those that may wait to be decoded are refused before they are.
    expect(statuses).toContain(413)
    expect([...statuses.difference(new Set([413, 503]))]).toEqual([])
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024)
  })
})

describe('accepts replay', () => {
  test.each(['/e/', '/i/v0/e', '/capture', '/track', '/engage', '/batch/', '/s/', '/s?compression=gzip-js'])(
    'at %s',
    async (path) => {
      const session = randomUUID()
      const item = { ...snapshotItem(session, { events: [click] }), token: 'phc_1' }
      expect(await testing.post(gzipSync(JSON.stringify([item])), path)).toMatchObject({ status: 200 })
      expect(await testing.recording(session)).toMatchObject({ click_count: 1 })
    },
  )

  test('as a single event without a window, leaving compressed data unchanged', async () => {
    const session = randomUUID()
    const compressed = gzipSync(JSON.stringify({ node: { id: 1 } })).toString('latin1')
    const full = {
      type: EventType.FullSnapshot,
      timestamp: start,
      data: `${compressed}\0\u0001\ud800`,
      cv: '2024-10',
    }
    await testing.send([
      { event: '$snapshot', properties: { $snapshot_data: full, $session_id: session, distinct_id: 'u' } },
    ])
    const [block = ''] = await testing.blocks(session)
    expect(JSON.parse(block)).toEqual([session, full])
  })

  test('of a page of the maximum depth that browsers allow', async () => {
    const session = randomUUID()
    const node = `${'{"childNodes":['.repeat(512)}${']}'.repeat(512)}`
    const data = { node: JSON.parse(node) as unknown }
    await testing.send([
      snapshotItem(session, { events: [{ type: EventType.FullSnapshot, timestamp: start, data }] }),
    ])
    expect(await testing.blocks(session)).toHaveLength(1)
  })

  test('without events, storing nothing', async () => {
    await testing.send([snapshotItem('empty', { events: [] })])
    await expect(testing.recording('empty')).rejects.toThrow('no result')
  })
})
