import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { SimilarSessions } from '../../../contract/recordings/session-recording.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { computePaths } from '../../recordings/similar/path-job.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService

beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())

async function similarTo(recording: Pick<RecordingRow, 'session_id'>) {
  const path = of.replace(':project_id', String(service.own.project_id))
  const response = await service.request('GET', `${path}/${recording.session_id}/similar_sessions/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(SimilarSessions, response)
}

/** Records a session with these events: a URL path is a pageview, any other name a custom event. */
async function session(...path: string[]): Promise<RecordingRow> {
  const recording = await insertRecording(service)
  const batch = path.map((name, index) => ({
    event: name.startsWith('/') ? '$pageview' : name,
    distinct_id: 'visitor',
    timestamp: new Date(recording.start_time.getTime() + index * 1000).toISOString(),
    properties: {
      $session_id: recording.session_id,
      ...(name.startsWith('/') && { $current_url: `https://shop.example${name}` }),
    },
  }))
  const sent = await service.request('POST', '/batch/', {
    key: '',
    raw: JSON.stringify({ api_key: service.own.project_token, batch }),
    headers: { 'content-type': 'application/json' },
  })
  expect(sent.status, sent.text).toBe(200)
  return recording
}

async function allPaths(): Promise<void> {
  while ((await computePaths(service.services)) > 0);
}

test('the first screen that an app reports is the first page of a recording that names none', async () => {
  const nameless = await insertRecording(service, {
    start_url: '',
    start_url_at: null,
    snapshot_source: 'mobile',
  })
  const named = await insertRecording(service, { start_url: 'MainActivity', snapshot_source: 'mobile' })
  const batch = [nameless, named].flatMap(({ session_id, start_time }) =>
    ['Lamps', 'Checkout'].map((screen, index) => ({
      event: '$screen',
      distinct_id: 'app-user',
      timestamp: new Date(start_time.getTime() + index * 1000).toISOString(),
      properties: { $session_id: session_id, $screen_name: screen },
    })),
  )
  await service.request('POST', '/batch/', { body: { api_key: service.own.project_token, batch } })
  await allPaths()
  const path = `/api/projects/${service.own.project_id}/session_recordings/`
  for (const [{ session_id }, page] of [
    [nameless, 'Lamps'],
    [named, 'MainActivity'],
  ] as const)
    expect((await service.request('GET', path + session_id)).body).toMatchObject({ start_url: page })
})

test(`GET ${of}/:id/similar_sessions/ returns the sessions with similar paths, nearest first`, async () => {
  const asked = await session(
    '/',
    '/lamps',
    '/products/12',
    'added_to_cart',
    '/checkout',
    'purchase_completed',
  )
  const same = await session(
    '/',
    '/lamps',
    '/products/77',
    'added_to_cart',
    '/checkout',
    'purchase_completed',
  )
  const near = await session('/', '/lamps', '/products/3', 'added_to_cart', '/checkout')
  const far = await session('/', '/help', '/returns')
  const none = await session('/careers')
  await allPaths()
  const body = await similarTo(asked)
  expect(body.id).toBe(asked.session_id)
  expect(body.results.map(({ id }) => id)).toEqual([same, near, far].map((other) => other.session_id))
  const [first, second, third] = body.results
  expect(first).toMatchObject({ distance: 0, parts: null, start_url: same.start_url, distinct_id: 'visitor' })
  expect(second?.parts).toEqual({ here: 'event purchase_completed', there: null })
  expect(second?.shared).toEqual([
    'page /',
    'page /lamps',
    'page /products/:id',
    'event added_to_cart',
    'page /checkout',
  ])
  expect(third?.parts).toEqual({ here: 'page /lamps', there: 'page /help' })
  expect(body.results.map(({ id }) => id)).not.toContain(none.session_id)
})

test('computes the path of a session on request if it has none', async () => {
  const other = await session('/blog', '/blog/first')
  await allPaths()
  const asked = await session('/blog', '/blog/first')
  expect((await similarTo(asked)).results[0]).toMatchObject({ id: other.session_id, distance: 0 })
})

test('new data updates a path', async () => {
  const other = await session('/jobs', '/jobs/apply')
  const asked = await session('/jobs')
  await allPaths()
  const before = (await similarTo(asked)).results[0]?.distance ?? 0
  const more = await session('/jobs/apply')
  await service.services.store
    .updateTable('session_recordings')
    .set({ session_id: `${asked.session_id}-old` })
    .where('id', '=', asked.id)
    .execute()
  await service.services.store
    .updateTable('session_recordings')
    .set({ last_updated_at: new Date(service.clock.now()) })
    .where('id', '=', more.id)
    .execute()
  service.clock.advance(6000)
  await allPaths()
  expect(before).toBeGreaterThan(0)
  expect((await similarTo(more)).results.map(({ id }) => id)).toContain(other.session_id)
})

test('reads steps from their own table, and from the paths only those that an earlier version stored', async () => {
  const { warehouse } = service.services
  const asked = await session('/older', '/older/first')
  const other = await session('/older', '/older/first')
  await allPaths()
  const tables = async () => {
    const query = vi.spyOn(warehouse, 'query')
    expect((await similarTo(asked)).results[0]).toMatchObject({ id: other.session_id, distance: 0 })
    const read = query.mock.calls.flatMap(([text]) => /argMax\(steps.*\s+FROM (\w+)/.exec(text)?.[1] ?? [])
    query.mockRestore()
    return new Set(read)
  }
  expect(await tables()).toEqual(new Set(['session_steps']))
  await warehouse.command('DELETE FROM session_steps WHERE session_id = {other: String}', {
    params: { other: other.session_id },
  })
  expect(await tables()).toEqual(new Set(['session_steps', 'session_paths']))
})

test('omits deleted recordings, and paths with nothing in common', async () => {
  const asked = await session('/only-here')
  const deleted = await session('/only-here')
  await allPaths()
  await service.services.store
    .updateTable('session_recordings')
    .set({ deleted_at: new Date() })
    .where('id', '=', deleted.id)
    .execute()
  expect((await similarTo(asked)).results).toEqual([])
})

test('uses the pages of the replay as the path if no events were captured', async () => {
  const recordings = []
  for (let count = 0; count < 2; count += 1) {
    const recording = await insertRecording(service)
    const timestamp = recording.start_time.getTime()
    await insertBlock(service, recording, 0, [
      [
        'w',
        {
          type: EventType.Meta,
          timestamp,
          data: { href: 'https://shop.example/quiet', width: 1, height: 1 },
        },
      ],
      [
        'w',
        {
          type: EventType.Meta,
          timestamp: timestamp + 5,
          data: { href: `https://shop.example/quiet/${count}` },
        },
      ],
    ])
    recordings.push(recording)
  }
  const [one, other] = recordings
  if (!one || !other) throw new Error('a recording is missing')
  service.clock.advance(6000)
  await allPaths()
  expect((await similarTo(one)).results).toMatchObject([
    { id: other.session_id, distance: 0, shared: ['page /quiet', 'page /quiet/:id'] },
  ])
})

test('an unknown recording is not found', async () => {
  const response = await service.request(
    'GET',
    `/api/projects/${service.own.project_id}/session_recordings/none/similar_sessions/`,
  )
  expect([response.status, problemOf(response).detail]).toEqual([404, 'Recording not found'])
})
