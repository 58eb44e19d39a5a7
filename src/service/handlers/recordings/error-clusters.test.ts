import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorClusters, ErrorMoments } from '../../../contract/recordings/error-cluster.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { factsFrom } from '../../testing/test-session.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { storeFacts } from '../../store/recordings/recording-facts.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService

beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())

const pathTo = (name: string) => `${of.replace(':project_id', String(service.own.project_id))}/${name}`

async function clusters(query = '') {
  const response = await service.request('GET', pathTo(`error_clusters/${query}`))
  expect(response.status, response.text).toBe(200)
  return bodyOf(ErrorClusters, response)
}

async function clusterOf(pattern: string, query = '') {
  return (await clusters(query)).results.find((cluster) => cluster.pattern === pattern)
}

function setState(state: string, ...found: readonly ({ cluster: number } | undefined)[]) {
  const body = { clusters: found.map((one) => one?.cluster), state }
  return service.request('PATCH', pathTo('error_clusters/'), { body })
}

async function capture(batch: readonly object[]): Promise<void> {
  const sent = await service.request('POST', '/batch/', {
    key: '',
    raw: JSON.stringify({ api_key: service.own.project_token, batch }),
    headers: { 'content-type': 'application/json' },
  })
  expect(sent.status, sent.text).toBe(200)
}

type Entry = { level?: string; message: string; item?: string }

async function logged(recording: Pick<RecordingRow, 'session_id'>, at: string, entry: Entry): Promise<void> {
  const { level = 'error', message, item = crypto.randomUUID() } = entry
  const row = { team_id: service.own.project_id, session_id: recording.session_id, window_id: 'w' }
  const line = JSON.stringify({ ...row, timestamp: at, level, message, item, position: 0 })
  await service.services.warehouse.insert('console_entries', line)
}

test(`GET ${of}/error_clusters/ returns no clusters and only null keys for a project without errors`, async () => {
  const body = await clusters()
  expect(body.results).toEqual([])
  expect(body).toMatchObject({ id: null, person: null, start_time: null, activity: null })
})

test('groups errors, counts them by day and names the recording that shows them best', async () => {
  const start_time = new Date('2026-03-03T09:00:00Z')
  const abrupt = await insertRecording(service, { start_time, recording_duration: 20 })
  const short = await insertRecording(service, { start_time, recording_duration: 60, viewed_at: start_time })
  const long = await insertRecording(service, { start_time, recording_duration: 600 })
  const gone = await insertRecording(service, { start_time, deleted_at: start_time, recording_duration: 5 })
  await logged(abrupt, '2026-03-03T09:00:01Z', { message: 'Coupon SUMMER-1 rejected' })
  await logged(short, '2026-03-03T09:00:30Z', { message: 'Coupon SUMMER-2 rejected' })
  await logged(short, '2026-03-04T09:00:31Z', { message: 'Coupon SUMMER-3 rejected' })
  await logged(long, '2026-02-10T09:01:00Z', { message: 'Coupon SUMMER-4 rejected' })
  await logged(gone, '2026-03-03T09:00:10Z', { message: 'Coupon SUMMER-5 rejected' })
  await logged(long, '2026-03-04T09:02:00Z', { message: 'No stock' })
  const warning = { level: 'warn', message: 'Coupon SUMMER-6 rejected' }
  await logged(long, '2026-03-04T09:03:00Z', warning)

  const body = await clusters()
  const [coupons, stock] = body.results
  expect(body.results).toHaveLength(2)
  expect(coupons).toMatchObject({
    pattern: 'Coupon … rejected',
    sample: 'Coupon SUMMER-3 rejected',
    occurrences: 5,
    unique_sessions: 4,
    viewed: 1,
    newest: '2026-03-04T09:00:31Z',
    best: { id: short.session_id, timestamp: '2026-03-03T09:00:30Z' },
  })
  expect(new Set(coupons?.session_ids)).toEqual(
    new Set([short.session_id, abrupt.session_id, long.session_id]),
  )
  expect(coupons?.session_ids[0]).toBe(short.session_id)
  expect(coupons?.sparkline).toEqual({
    '2026-02-26': 0,
    '2026-02-27': 0,
    '2026-02-28': 0,
    '2026-03-01': 0,
    '2026-03-02': 0,
    '2026-03-03': 3,
    '2026-03-04': 1,
  })
  expect(stock).toMatchObject({ sample: 'No stock', occurrences: 1, best: { id: long.session_id } })
  expect(body.id).toBe(short.session_id)
  expect((await clusters()).results.map(({ cluster }) => cluster)).toEqual(
    body.results.map(({ cluster }) => cluster),
  )
})

test('counts an entry only once if it was stored twice', async () => {
  const recording = await insertRecording(service)
  const entry = { message: 'Stored twice', item: crypto.randomUUID() }
  await logged(recording, '2026-03-04T09:00:00Z', entry)
  await logged(recording, '2026-03-04T09:00:00Z', entry)
  const found = (await clusters()).results.find(({ sample }) => sample === 'Stored twice')
  expect(found?.occurrences).toBe(1)
})

test('puts captured exceptions into the cluster of the same console error', async () => {
  const recording = await insertRecording(service, { session_id: 'with-exception' })
  const exception = (uuid: string, properties: object) => ({
    uuid,
    event: '$exception',
    distinct_id: 'visitor',
    timestamp: '2026-03-04T10:20:00Z',
    properties: { $session_id: recording.session_id, $window_id: 'w', ...properties },
  })
  const batch = [
    exception('01900000-0000-7000-8000-000000000001', {
      $exception_list: [{ type: 'TypeError', value: 'price 3 is missing' }],
    }),
    exception('01900000-0000-7000-8000-000000000002', {
      $exception_type: 'TypeError',
      $exception_message: 'price 4 is missing',
    }),
  ]
  await capture(batch)
  await capture(batch)
  await logged(recording, '2026-03-04T10:21:00Z', { message: 'Uncaught TypeError: price 5 is missing' })
  const found = (await clusters()).results.find(({ pattern }) => pattern === 'TypeError: price … is missing')
  expect(found).toMatchObject({ occurrences: 3, unique_sessions: 1, session_ids: ['with-exception'] })
})

test('ordered by trend, new and growing errors precede frequent ones', async () => {
  const shop = await createTestService({ now: '2026-03-04T10:30:00Z' })
  const log = async (message: string, ...times: string[]) => {
    const row = { team_id: shop.own.project_id, session_id: 's', window_id: 'w', level: 'error', position: 0 }
    const lines = times.map((timestamp) =>
      JSON.stringify({ ...row, timestamp, message, item: crypto.randomUUID() }),
    )
    await shop.services.warehouse.insert('console_entries', lines.join('\n'))
  }
  const old = '2026-02-01T00:00:00Z'
  await log('Frequent', old, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z', old)
  await log('Growing', old, '2026-03-04T09:00:00Z', '2026-03-04T10:00:00Z', '2026-03-01T00:00:00Z')
  await log('New', '2026-02-27T00:00:00Z')
  const patterns = async (query: string) => {
    const path = `${of.replace(':project_id', String(shop.own.project_id))}/error_clusters/${query}`
    const response = await shop.request('GET', path)
    return bodyOf(ErrorClusters, response).results.map(({ pattern }) => pattern)
  }
  expect(await patterns('')).toEqual(['Frequent', 'Growing', 'New'])
  expect(await patterns('?order=trend')).toEqual(['Growing', 'New', 'Frequent'])
  expect(await patterns('?order=trend&limit=2')).toEqual(['Growing', 'New'])
  await shop.stop()
})

test('does not show another project’s errors', async () => {
  const response = await service.request(
    'GET',
    `/api/projects/${service.secondProjectId}/session_recordings/error_clusters/`,
  )
  expect(bodyOf(ErrorClusters, response).results).toEqual([])
})

test(`PATCH ${of}/error_clusters/ sets the state of errors; a resolved one is open again when it occurs again`, async () => {
  const recording = await insertRecording(service)
  await logged(recording, '2026-03-04T09:00:00Z', { message: 'Cart is empty' })
  await logged(recording, '2026-03-04T09:00:00Z', { message: 'Ad was blocked' })
  const cart = await clusterOf('Cart is empty')
  const ad = await clusterOf('Ad was blocked')
  expect(cart).toMatchObject({ state: 'open', reopened: false, changed: null })

  expect((await setState('resolved', cart)).body).toMatchObject({
    success: true,
    results: [{ state: 'resolved' }],
  })
  expect((await setState('ignored', ad)).status).toBe(200)
  const changed = { by: expect.any(String), at: '2026-03-04T10:30:00Z' }
  expect(await clusterOf('Cart is empty', '?state=resolved')).toMatchObject({ state: 'resolved', changed })
  expect(await clusterOf('Cart is empty', '?state=open')).toBeUndefined()
  expect((await clusters()).counts).toMatchObject({ resolved: 1, ignored: 1 })

  await logged(recording, '2026-03-04T10:31:00Z', { message: 'Cart is empty' })
  await logged(recording, '2026-03-04T10:31:00Z', { message: 'Ad was blocked' })
  expect(await clusterOf('Cart is empty', '?state=open')).toMatchObject({
    state: 'open',
    reopened: true,
    changed,
  })
  expect(await clusterOf('Ad was blocked')).toMatchObject({ state: 'ignored', reopened: false })
  expect((await clusters('?state=resolved')).results).toEqual([])

  await setState('open', cart, ad)
  expect((await clusters()).counts).toMatchObject({ resolved: 0, ignored: 0 })
})

test('refuses the state of an unknown error and says what to do', async () => {
  const response = await setState('resolved', await clusterOf('Cart is empty'), { cluster: 7 })
  expect(response.status).toBe(400)
  expect(problemOf(response)).toMatchObject({
    attr: 'clusters',
    detail: expect.stringContaining('list the errors'),
  })
  expect(await clusterOf('Cart is empty')).toMatchObject({ state: 'open' })
})

test('names the pages, browsers and visitors of an error, and counts sessions without a recording', async () => {
  const start_time = new Date('2026-03-04T08:00:00Z')
  const pages = [
    { label: 'Home', url: '/', at: 0 },
    { label: 'Lamp', url: '/lamp', at: 60_000 },
  ]
  for (const [number, distinct_id] of ['one', 'one', 'two'].entries()) {
    const recording = await insertRecording(service, { start_time, distinct_id })
    await storeFacts(service.services.store, recording, { ...factsFrom([]), pages, browser: 'Firefox' })
    await logged(recording, `2026-03-04T08:0${number}:30Z`, { message: 'Lamp is off' })
  }
  await logged({ session_id: 'never-recorded' }, '2026-03-04T08:00:30Z', { message: 'Lamp is off' })
  expect(await clusterOf('Lamp is off')).toMatchObject({
    oldest: '2026-03-04T08:00:30Z',
    visitors: 2,
    unrecorded: 1,
    pages: [
      { name: 'Lamp', recordings: 2 },
      { name: 'Home', recordings: 1 },
    ],
    browsers: [{ name: 'Firefox', recordings: 3 }],
  })
})

const frame = (name: string, more: object) => ({
  function: name,
  filename: 'https://shop.example/a.js',
  ...more,
})

test(`GET ${of}/error_moments/ returns the stack of the newest exception and when the error occurs in the newest recordings`, async () => {
  const start_time = new Date('2026-03-04T09:00:00Z')
  const recording = await insertRecording(service, { session_id: 'with-stack', start_time })
  const frames = [
    frame('main', { in_app: false }),
    frame('price', { lineno: 3, colno: 5, in_app: true, context_line: 'return sum', pre_context: ['{'] }),
  ]
  await capture([
    {
      event: '$exception',
      distinct_id: 'visitor',
      timestamp: '2026-03-04T09:00:20Z',
      properties: {
        $session_id: recording.session_id,
        $exception_list: [{ type: 'RangeError', value: 'no price', stacktrace: { frames } }],
      },
    },
  ])
  const found = await clusterOf('RangeError: no price')
  const response = await service.request('GET', pathTo(`error_moments/?cluster=${found?.cluster}`))
  const { stack, moments } = bodyOf(ErrorMoments, response)
  expect(stack).toEqual([
    {
      function: 'price',
      file: 'https://shop.example/a.js',
      line: 3,
      column: 5,
      in_app: true,
      context: { before: ['{'], source: 'return sum', after: [] },
    },
    {
      function: 'main',
      file: 'https://shop.example/a.js',
      line: null,
      column: null,
      in_app: false,
      context: null,
    },
  ])
  expect(moments).toMatchObject([{ recording: { id: 'with-stack' }, at: 20_000 }])

  const deleted = await service.request('DELETE', pathTo('with-stack/'))
  expect(deleted.status).toBe(204)
  expect(await clusterOf('RangeError: no price')).toMatchObject({ unrecorded: 1, best: null })
  const none = await service.request('GET', pathTo('error_moments/?cluster=7'))
  expect(none.body).toEqual({ stack: null, moments: [] })
})

test('an error with NUL in its message can be resolved', async () => {
  await logged(await insertRecording(service), '2026-03-04T09:00:00Z', { message: 'Half \0 lamp' })
  const cluster = await clusterOf('Half \0 lamp')
  const response = await setState('resolved', cluster)
  expect(response.status, response.text).toBe(200)
})

test('of equally frequent kinds of errors, the newest comes first', async () => {
  const recording = await insertRecording(service, { start_time: new Date('2026-03-04T07:00:00Z') })
  for (const [message, minute] of [
    ['Tie of the first', '01'],
    ['Tie of the newest', '03'],
    ['Tie of the second', '02'],
  ] as const)
    await logged(recording, `2026-03-04T07:${minute}:00Z`, { message })
  const found = (await clusters('?limit=50')).results.map(({ pattern }) => pattern)
  expect(found.filter((pattern) => pattern?.startsWith('Tie'))).toEqual([
    'Tie of the newest',
    'Tie of the second',
    'Tie of the first',
  ])
})
