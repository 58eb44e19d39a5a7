import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorClusters } from '../../../contract/session-recording.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService

beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())

async function clusters() {
  const path = of.replace(':project_id', String(service.own.project_id))
  const response = await service.request('GET', `${path}/error_clusters/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(ErrorClusters, response)
}

type Entry = { level?: string; message: string; item?: string }

async function logged(recording: Pick<RecordingRow, 'session_id'>, at: string, entry: Entry): Promise<void> {
  const { level = 'error', message, item = crypto.randomUUID() } = entry
  const row = { team_id: service.own.project_id, session_id: recording.session_id, window_id: 'w' }
  const line = JSON.stringify({ ...row, timestamp: at, level, message, item, position: 0 })
  const columns = ['team_id', 'session_id', 'window_id', 'timestamp', 'level', 'message', 'item', 'position']
  await service.services.warehouse.insert('console_entries', columns, line)
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
    pattern: 'Coupon # rejected',
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
  for (let time = 0; time < 2; time += 1) {
    const sent = await service.request('POST', '/batch/', {
      key: '',
      raw: JSON.stringify({ api_key: service.own.project_token, batch }),
      headers: { 'content-type': 'application/json' },
    })
    expect(sent.status, sent.text).toBe(200)
  }
  await logged(recording, '2026-03-04T10:21:00Z', { message: 'Uncaught TypeError: price 5 is missing' })
  const found = (await clusters()).results.find(({ pattern }) => pattern === 'TypeError: price # is missing')
  expect(found).toMatchObject({ occurrences: 3, unique_sessions: 1, session_ids: ['with-exception'] })
})

test('does not show another project’s errors', async () => {
  const response = await service.request(
    'GET',
    `/api/projects/${service.secondProjectId}/session_recordings/error_clusters/`,
  )
  expect(bodyOf(ErrorClusters, response).results).toEqual([])
})
