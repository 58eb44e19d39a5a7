import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { SnapshotSources } from '../../../contract/recordings/snapshot.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

const of = '/api/projects/:project_id/session_recordings'
const blockCount = 25
let service: TestService
let recording: RecordingRow

beforeAll(async () => {
  service = await createTestService()
  recording = await insertRecording(service)
  for (let number = 0; number < blockCount; number++)
    await insertBlock(service, recording, number, linesOf(number))
})
afterAll(() => service.stop())

/** Returns two events of a block, the second one from another window. */
function linesOf(number: number) {
  const timestamp = Date.parse('2026-03-04T10:00:00Z') + number * 1000
  return [
    ['window-1', { type: EventType.Meta, timestamp, data: { href: `https://shop.example/${number}` } }],
    [
      'window-2',
      { type: EventType.IncrementalSnapshot, timestamp: timestamp + 500, data: { text: 'x'.repeat(2000) } },
    ],
  ] as const
}

function ask(search = '', { session_id }: { session_id: string } = recording, headers = {}) {
  const path = `/api/projects/${service.own.project_id}/session_recordings/${session_id}/snapshots/`
  return service.request('GET', `${path}${search}`, { headers })
}

const blobs = (first: number | string, last: number | string) =>
  `?source=blob_v2&start_blob_key=${first}&end_blob_key=${last}`

test(`GET ${of}/:id/snapshots/ returns 200 with the blocks in the order of their keys`, async () => {
  const { sources } = bodyOf(SnapshotSources, await ask())
  expect(sources.map(({ blob_key }) => blob_key)).toEqual(
    Array.from({ length: blockCount }, (_, n) => `${n}`),
  )
  expect(sources[3]).toEqual({
    source: 'blob_v2',
    start_timestamp: '2026-03-04T10:00:03Z',
    end_timestamp: '2026-03-04T10:00:03.500000Z',
    blob_key: '3',
    bytes: expect.any(Number),
    full_snapshots: [],
    active_windows: [],
  })
  const empty = await insertRecording(service)
  expect((await ask('?unknown=1', empty)).body).toEqual({ sources: [] })
})

test.each([
  [0, 0],
  [3, 7],
  [5, 24],
])('returns blocks %i to %i as JSON lines, one for each event', async (first, last) => {
  const response = await ask(blobs(first, last))
  expect([response.status, response.headers['content-type']]).toEqual([200, 'application/jsonl'])
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const lines = numbers.flatMap(linesOf).map((line) => JSON.stringify(line))
  expect(response.text).toBe(lines.join('\n'))
})

test('compresses the lines for remote clients that accept it', async () => {
  const path = `/api/projects/${service.own.project_id}/session_recordings/${recording.session_id}/snapshots/`
  const response = await service.server.inject({
    url: path + blobs(0, 19),
    headers: {
      authorization: `Bearer ${service.own.api_key}`,
      'accept-encoding': 'gzip, br',
      'x-forwarded-proto': 'https',
    },
  })
  expect(response.headers['content-encoding']).toBe('gzip')
  expect(response.rawPayload.length).toBeLessThan(10_000)
  expect(gunzipSync(response.rawPayload).toString()).toBe((await ask(blobs(0, 19))).text)
})

test.each([
  ['?source=blob_v2', 'Must provide both start blob key and end blob key'],
  ['?source=blob_v2&start_blob_key=0', 'Must provide both start blob key and end blob key'],
  ['?source=blob_v2&end_blob_key=0', 'Must provide both start blob key and end blob key'],
  [blobs('a', 1), 'Blob keys must be integers'],
  [blobs(0, '1.5'), 'Blob keys must be integers'],
  [blobs(0, 20), 'Cannot request more than 20 blob keys at once'],
  [blobs(0, '9'.repeat(400)), 'Cannot request more than 20 blob keys at once'],
])('%s: 400 "%s"', async (search, detail) => {
  const response = await ask(search)
  expect(response.status).toBe(400)
  expect(problemOf(response)).toMatchObject({ code: 'invalid_input', detail, attr: null })
})

test.each([
  blobs(24, 25),
  blobs(25, 25),
  blobs(-1, 3),
  blobs(5, 4),
  blobs(2 ** 31, 2 ** 31),
  blobs('9'.repeat(400), 3),
])('%s: 404 "Block index out of range"', async (search) => {
  const response = await ask(search)
  expect([response.status, problemOf(response).detail]).toEqual([404, 'Block index out of range'])
})

test('an unknown source: 400 on `source`', async () => {
  expect(problemOf(await ask('?source=realtime'))).toMatchObject({ code: 'invalid_choice', attr: 'source' })
})

test('a lost or damaged block has no lines, and the others are returned', async () => {
  const damaged = await insertRecording(service)
  for (const number of [0, 1, 2, 3]) await insertBlock(service, damaged, number, linesOf(number))
  const { objects } = service.services
  await objects.delete(await keyOf(damaged, 0))
  await objects.put(await keyOf(damaged, 2), Buffer.from('no block'))
  const response = await ask(blobs(0, 3), damaged)
  const lines = [1, 3].flatMap(linesOf).map((line) => JSON.stringify(line))
  expect([response.status, response.text]).toEqual([200, lines.join('\n')])
  expect(await ask(blobs(0, 0), damaged)).toMatchObject({ status: 200, text: '' })
})

test('a recording deleted while its blocks are read: 404', async () => {
  const gone = await insertRecording(service)
  await insertBlock(service, gone, 0, linesOf(0))
  const { objects, store } = service.services
  await objects.delete(await keyOf(gone, 0))

  const { get } = objects
  objects.get = async (key) => {
    await store
      .updateTable('session_recordings')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute()
    return await get(key)
  }
  const response = await ask(blobs(0, 0), gone)
  objects.get = get
  expect([response.status, problemOf(response).detail]).toEqual([404, 'Recording not found'])
})

async function keyOf({ id }: RecordingRow, number: number): Promise<string> {
  const block = await service.services.store
    .selectFrom('session_recording_blocks')
    .select('object_key')
    .where('recording_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return block.object_key
}
