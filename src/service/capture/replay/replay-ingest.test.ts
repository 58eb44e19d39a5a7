import { randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkRequests } from '../../../replay/recorded/network-request.ts'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  networkPlugin,
  type RecordedEvent,
} from '../../../replay/recorded/rrweb.ts'
import { visitorWords } from '../../../contract/recordings/visitor-name.ts'
import { listBlocks } from '../../store/recordings/recording-blocks.ts'
import {
  now,
  recorded,
  requestWith,
  snapshotItem,
  start,
  testReplay,
  type TestReplay,
} from '../../testing/test-replay.ts'
import recordedReplay from './recorded-replay.json' with { type: 'json' }

let testing: TestReplay

beforeAll(async () => {
  testing = await testReplay()
})
afterAll(() => testing.cleanup())

test.each(recordedReplay.requests)(
  'stores and counts replay recorded from posthog-js $version',
  async (given) => {
    const { path, contentType } = given
    const body = Buffer.from(given.body, 'base64')
    const payload = JSON.parse(gunzipSync(body).toString('utf8').replaceAll('phc_test_recording', 'phc_1'))
    const sent = payload[0].properties
    const late = sent.$snapshot_data.at(-1).timestamp - now
    testing.services.clock.advance(late)
    const response = await testing.app.inject({
      method: 'POST',
      url: path,
      payload: gzipSync(JSON.stringify(payload)),
      headers: { 'content-type': contentType },
    })
    testing.services.clock.advance(-late)
    expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
    expect(await testing.recording(sent.$session_id)).toMatchObject({
      distinct_id: sent.distinct_id,
      visitor_words: visitorWords(sent.distinct_id),
      click_count: 4,
      keypress_count: 9,
      console_error_count: 1,
      start_url: sent.$snapshot_data[0].data.href,
    })
    const [block = ''] = await testing.blocks(sent.$session_id)
    const lines: unknown[] = block.split('\n').map((line) => JSON.parse(line))
    expect(lines).toHaveLength(sent.$snapshot_data.length)
    expect(lines).toEqual(
      expect.arrayContaining(sent.$snapshot_data.map((event: unknown) => [sent.$window_id, event])),
    )
    expect(await testing.consoleEntries(sent.$session_id)).toMatchObject([
      { level: 'error', message: 'The lamp could not be lit {"status":502}', window_id: sent.$window_id },
    ])
  },
)

test('data that arrives after the clock went back still counts as new, so that the path is computed again', async () => {
  const session = randomUUID()
  const send = (at: number) =>
    testing.send([snapshotItem(session, { events: [recorded.page(at, 'https://shop.example/')] })])
  await send(100)
  const before = await testing.recording(session)
  testing.services.clock.advance(-20 * 60_000)
  await send(200).finally(() => testing.services.clock.advance(+20 * 60_000))
  const { last_updated_at } = await testing.recording(session)
  expect(last_updated_at.getTime()).toBeGreaterThan(before.last_updated_at.getTime())
})

test('stores a session across windows and hours as one recording, with lines in order of time', async () => {
  const session = randomUUID()
  const hour = 3_600_000
  const first = [
    recorded.interaction(900, MouseInteractions.Click),
    recorded.page(100, 'https://shop.example/'),
  ]
  const error = recorded.log(hour, 'error', 'Payment failed:', { status: 502 })
  const second = [error, recorded.source(hour + 400.5, IncrementalSource.Input)]
  const items = [
    snapshotItem(session, { windowId: 'w1', distinctId: 'ada', events: first }),
    snapshotItem(session, { windowId: 'w2', distinctId: 'ada@example.com', events: second }),
  ]
  await testing.send([{ event: 'note', distinct_id: 'ada', properties: { $session_id: session } }, ...items])
  expect(await testing.recording(session)).toMatchObject({
    project_id: testing.projectId,
    distinct_id: 'ada',
    snapshot_source: 'web',
    start_time: new Date(start + 100),
    end_time: new Date(start + hour + 400),
    recording_duration: 3600,
    active_seconds: 0,
    inactive_seconds: 3600,
    click_count: 1,
    keypress_count: 1,
    mouse_activity_count: 1,
    console_log_count: 0,
    console_error_count: 1,
    start_url: 'https://shop.example/',
    block_count: 1,
    created_at: new Date(now),
    last_updated_at: new Date(now),
  })
  const lines = [
    ['w1', first[1]],
    ['w1', first[0]],
    ['w2', second[0]],
    ['w2', second[1]],
  ]
  expect(await testing.blocks(session)).toEqual([lines.map((line) => JSON.stringify(line)).join('\n')])
  expect(await testing.consoleEntries(session)).toEqual([
    {
      level: 'error',
      message: 'Payment failed: {"status":502}',
      window_id: 'w2',
      timestamp: new Date(error.timestamp).toISOString().replace('T', ' ').replace('Z', ''),
    },
  ])
  const events = await testing.services.warehouse.query(
    'SELECT session_id FROM events WHERE session_id = {session: String}',
    { params: { session } },
  )
  expect(events).toHaveLength(1)
})

test('stores with each block its full snapshots and the windows that the visitor used', async () => {
  const session = randomUUID()
  const page = (at: number) => ({ ...recorded.page(at, ''), type: EventType.FullSnapshot })
  await testing.send([
    snapshotItem(session, { windowId: 'w1', events: [page(20), page(10), recorded.log(30, 'log')] }),
    snapshotItem(session, {
      windowId: 'w2',
      events: [page(40), recorded.interaction(60, MouseInteractions.Click)],
    }),
    snapshotItem(session, { windowId: 'w2', events: [recorded.source(50, IncrementalSource.Scroll)] }),
  ])
  const { id } = await testing.recording(session)
  expect(await listBlocks(testing.services.store, id)).toMatchObject([
    {
      full_snapshots: [
        ['w1', start + 10],
        ['w1', start + 20],
        ['w2', start + 40],
      ],
      active_windows: [['w2', start + 60]],
    },
  ])
})

test('stores requests without secrets, and counts and lists the failed ones', async () => {
  const session = randomUUID()
  const secret = 'tr0ub4dor'
  const requests = [
    {
      ...requestWith(401),
      name: `https://ada:${secret}@API.example:8080/login?id=7&access_token=${secret}`,
      requestHeaders: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      requestBody: JSON.stringify({ user: 'ada', credentials: [{ password: secret }], pin: 1234 }),
      responseHeaders: { 'set-cookie': `session=${secret}` },
      responseBody: `error=denied&refresh_token=${secret}`,
    },
    { ...requestWith(0), name: 'https://pay.example/' },
    { ...requestWith(0), name: 'https://opaque.example/', initiatorType: 'fetch' },
    { name: 'https://img.example/a.png', initiatorType: 'img', responseStatus: 0, entryType: 'resource' },
    { name: 'first-paint', entryType: 'paint', status: 500 },
    { name: 'not a URL', status: 1e9, method: 'GET', timestamp: 1e300 },
    { ...requestWith(200), requestHeaders: { accept: { toString: 1 }, retries: [2] } },
    'nothing',
  ]
  const packed = gzipSync(JSON.stringify({ plugin: networkPlugin, payload: { token: secret } }))
  const compressed = {
    type: EventType.Plugin,
    timestamp: start,
    data: packed.toString('latin1'),
    cv: '2024-10',
  }
  await testing.send([
    snapshotItem(session, { events: [recorded.requests(5, ...requests), compressed] }),
    snapshotItem(session, { events: [recorded.requests(9, requestWith(200))] }),
  ])
  const [text = ''] = await testing.blocks(session)
  expect(text).not.toContain(secret)
  expect(text).not.toContain(compressed.data.slice(10, 20))
  const lines = text.split('\n').map((line): [string, RecordedEvent] => JSON.parse(line))
  const stored = lines.flatMap(([, event]) => networkRequests(event))
  expect(stored[0]).toMatchObject({
    url: 'https://[redacted]@API.example:8080/login?id=7&access_token=[redacted]',
    requestHeaders: { Authorization: '[redacted]', 'Content-Type': 'application/json' },
    requestBody: '{"user":"ada","credentials":"[redacted]","pin":"[redacted]"}',
    responseHeaders: { 'set-cookie': '[redacted]' },
    responseBody: 'error=denied&refresh_token=[redacted]',
  })
  expect(stored.map(({ requestHeaders }) => requestHeaders)).toContainEqual({
    accept: '{"toString":1}',
    retries: '[2]',
  })
  expect(await testing.recording(session)).toMatchObject({ failed_request_count: 3 })
  expect(await testing.failedRequests(session)).toEqual([
    { host: '', status: 0 },
    { host: 'api.example', status: 401 },
    { host: 'pay.example', status: 0 },
  ])
})

test('stores a session longer than half a century', async () => {
  const session = randomUUID()
  const times = [Date.UTC(1971, 0, 1), now]
  const items = times.map((timestamp) =>
    snapshotItem(session, { events: [{ type: EventType.Meta, timestamp, data: {} }] }),
  )
  await testing.send(items)
  const seconds = Math.floor((now - Date.UTC(1971, 0, 1)) / 1000)
  expect(await testing.recording(session)).toMatchObject({ recording_duration: seconds })
})
