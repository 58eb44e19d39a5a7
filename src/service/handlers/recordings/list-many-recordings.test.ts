import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import { visitorName, visitorWords } from '../../../contract/recordings/visitor-name.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import { rowsOf } from '../../store/schema/database.ts'
import { mergeHours } from '../../store/recordings/recording-hours.ts'
import { countedMax } from '../../store/recordings/recordings-list.ts'
import { listRecordings, listedIds, type Parameters } from '../../testing/recordings/test-recording-list.ts'

let service: TestService
const total = 2 * countedMax
/** Newest sessions that have an event which the others lack. */
const newest = 3000
/** Session ids can have 100 characters, and a statement can contain many of them. */
const longestId = 'm'.repeat(95)

beforeAll(async () => {
  service = await createTestService()
  const { store, warehouse } = service.services
  await insertRecording(service, { session_id: 'model' })
  const words = Array.from({ length: 7000 }, (_, n) => visitorWords(`visitor-${n}`))
  await sql`
      INSERT INTO session_recordings (project_id, session_id, distinct_id, visitor_words, snapshot_source, start_time, end_time, recording_duration,
        active_seconds, inactive_seconds, activity, click_count, keypress_count, mouse_activity_count, console_log_count,
        console_warn_count, console_error_count, start_url, block_count, created_at, last_updated_at)
      SELECT project_id, ${longestId} || n, 'visitor-' || n % 7000, (${words}::smallint[])[1 + n % 7000], snapshot_source, start_time - n * interval '1 second', end_time,
        recording_duration, active_seconds, inactive_seconds, activity, n % 4, keypress_count, mouse_activity_count, 0, 0, 0,
        'https://shop.example/' || n, block_count, created_at, last_updated_at
      FROM session_recordings, generate_series(1, ${total - 1}::int) AS n`.execute(store)
  await warehouse.command(
    `INSERT INTO events (team_id, uuid, event, properties, timestamp)
      SELECT {team: Int64}, generateUUIDv4(), if(number % 20 = 0, 'rare', 'common'), concat('{"$session_id":"${longestId}', toString(number), '"}'),
        fromUnixTimestamp64Milli({now: Int64}, 'UTC') FROM numbers(1, {total: UInt64})`,
    { params: { team: service.own.project_id, now: service.clock.now(), total: total - 1 } },
  )
  await warehouse.command(
    `INSERT INTO events (team_id, uuid, event, properties, timestamp)
      SELECT {team: Int64}, generateUUIDv4(), 'new', concat('{"$session_id":"${longestId}', toString(number), '"}'),
        fromUnixTimestamp64Milli({now: Int64}, 'UTC') FROM numbers(1, {newest: UInt64})`,
    { params: { team: service.own.project_id, now: service.clock.now(), newest } },
  )
  await sql`
      WITH person AS (INSERT INTO persons (project_id, uuid, properties, version, created_at)
        SELECT ${service.own.project_id}, gen_random_uuid(), jsonb_build_object('name', 'Number ' || n, 'n', n), 1, now()
        FROM generate_series(0, 6999) AS n RETURNING *)
      INSERT INTO person_distinct_ids SELECT project_id, 'visitor-' || (properties ->> 'n'), id, 0 FROM person`.execute(
    store,
  )
  await sql`ANALYZE`.execute(store)
})

const clicks = { properties: [{ type: 'recording', key: 'click_count', operator: 'gt', value: 0 }] }

afterAll(() => service.stop())

test.each<[string, Parameters, number]>([
  ['a filter on rows', clicks, 0.75],
  ['an event that most sessions have', { events: [{ id: 'common' }] }, 0.95],
  ['both', { events: [{ id: 'common' }], ...clicks }, 0.7],
  [
    'an event that most sessions lack',
    { properties: [{ key: '$session_id', operator: 'not_regex', value: '[37]$' }] },
    0.8,
  ],
  ['a name that most persons have', { search: 'number' }, 1],
])('%s is counted by sampling and paged exactly', async (_, filter, share) => {
  const body = bodyOf(
    SessionRecordingList,
    await listRecordings(service, { ...filter, limit: 20, offset: 30 }),
  )
  expect(body).toMatchObject({ has_next: true, count_is_estimate: true })
  expect(Math.abs(body.count / total - share)).toBeLessThan(0.1)
  const whole = await listedIds(service, { ...filter, limit: 1000 })
  expect(body.results.map(({ id }) => id)).toEqual(whole.slice(30, 50))
  expect(new Set(whole).size).toBe(1000)
})

test.each([
  [countedMax - 1, countedMax, false],
  [countedMax, countedMax, true],
])(
  'the recordings since %d seconds before the newest are counted as %d, estimated: %s',
  async (seconds, count, isEstimate) => {
    const { results } = bodyOf(SessionRecordingList, await listRecordings(service, { limit: 1 }))
    const first = Date.parse(results[0]?.start_time ?? '') - seconds * 1000
    const page = bodyOf(
      SessionRecordingList,
      await listRecordings(service, { date_from: new Date(first).toISOString(), limit: 20 }),
    )
    expect([page.count >= count, page.count_is_estimate]).toEqual([true, isEstimate])
    if (!isEstimate) expect(page.count).toBe(count)
  },
)

test('an event that only the newest sessions have is counted exactly', async () => {
  const filter = { events: [{ id: 'new' }], limit: 20 }
  expect(bodyOf(SessionRecordingList, await listRecordings(service, filter))).toMatchObject({
    count: newest,
    count_is_estimate: false,
  })
  const both = { events: [{ id: 'new' }, { id: 'common' }], limit: 20 }
  expect(bodyOf(SessionRecordingList, await listRecordings(service, both))).toMatchObject({
    count: newest - newest / 20,
    count_is_estimate: false,
  })
})

test('an event that few sessions have is counted exactly', async () => {
  const filter = { events: [{ id: 'rare' }], order: 'click_count', limit: 1000 }
  expect(bodyOf(SessionRecordingList, await listRecordings(service, filter))).toMatchObject({
    count: total / 20 - 1,
    count_is_estimate: false,
    has_next: false,
  })
  const both = { ...filter, ...clicks }
  expect(bodyOf(SessionRecordingList, await listRecordings(service, both))).toMatchObject({ count: 0 })
})

test('an event that most sessions have is counted exactly among few recordings', async () => {
  const filter = { date_from: '2026-03-04T10:15:01Z', events: [{ id: 'common' }] }
  expect(bodyOf(SessionRecordingList, await listRecordings(service, filter))).toMatchObject({
    count: 285,
    count_is_estimate: false,
  })
})

test('the sessions of a frequent event are listed only once', async () => {
  const filter = { events: [{ id: 'common' }], limit: 20 }
  const first = await listedIds(service, filter)
  const query = vi.spyOn(service.services.warehouse, 'query')
  expect(await listedIds(service, filter)).toEqual(first)
  expect(query).toHaveBeenCalled()
  expect(query).not.toHaveBeenCalledWith(expect.stringMatching(/group(?:Uniq)?Array\(/), expect.anything())
})

test('pages of a frequent event agree on their count, and the second checks few recordings', async () => {
  const filter = { events: [{ id: 'common' }, { id: null }], limit: 20 }
  const pageFrom = async (offset: number) =>
    bodyOf(SessionRecordingList, await listRecordings(service, { ...filter, offset }))
  const first = await pageFrom(0)
  const query = vi.spyOn(service.services.warehouse, 'query').mockClear()
  const second = await pageFrom(20)
  expect([second.count, second.count_is_estimate]).toEqual([first.count, true])
  const named = query.mock.calls.flatMap(([, options]) =>
    Object.values(options?.params ?? {}).filter(Array.isArray),
  )
  query.mockRestore()
  expect(named).not.toEqual([])
  expect(Math.max(...named.map((ids) => ids.length))).toBeLessThan(200)
  const whole = await listedIds(service, { ...filter, limit: 40 })
  expect([...first.results, ...second.results].map(({ id }) => id)).toEqual(whole)
})

test('counts all recordings exactly, and the last page is the first page in reverse order', async () => {
  const last = bodyOf(SessionRecordingList, await listRecordings(service, { limit: 50, offset: total - 40 }))
  expect(last).toMatchObject({ count: total, count_is_estimate: false, has_next: false })
  const first = await listedIds(service, { limit: 40, order_direction: 'ASC' })
  expect(last.results.map(({ id }) => id)).toEqual(first.toReversed())
  expect(await listedIds(service, { offset: total + 1 })).toEqual([])
})

test.each([
  ['that are spread over the list', sql<boolean>`id % 10 = 0`, false],
  ['of which one has been deleted', sql<boolean>`id % 10 = 1`, true],
  ['at the beginning of the list', sql<boolean>`id < 1500`, false],
  ['at the end of the list', sql<boolean>`id > ${total - 1500}`, false],
  ['that are few', sql<boolean>`id % 500 = 0`, false],
])(
  'a collection of recordings %s is counted exactly and paged in order',
  async (name, isCollected, deletesOne) => {
    const { store } = service.services
    const [collection] = await rowsOf<{ id: string }>(store)`
    INSERT INTO recording_collections (id, project_id, name, actor, created_at, updated_at)
    VALUES (gen_random_uuid(), ${service.own.project_id}, ${name}, 'Test', now(), now()) RETURNING id`
    await sql`INSERT INTO recording_collection_items
    SELECT ${collection?.id}::uuid, id FROM session_recordings WHERE ${isCollected}`.execute(store)
    const deleteOne = sql`UPDATE session_recordings SET deleted_at = now(), deleted_by = gen_random_uuid()
    WHERE id IN (SELECT id FROM session_recordings WHERE id > 3000 AND ${isCollected} ORDER BY id LIMIT 1)`
    if (deletesOne) await deleteOne.execute(store)
    for (const order of ['start_time', 'click_count'] as const) {
      const rows = await rowsOf<{ session_id: string }>(store)`SELECT session_id FROM session_recordings
      WHERE ${isCollected} AND deleted_at IS NULL ORDER BY ${sql.ref(order)} DESC, id DESC`
      const filter = { collection: collection?.id ?? '', order, limit: 20, offset: 10 }
      const page = bodyOf(SessionRecordingList, await listRecordings(service, filter))
      expect(page).toMatchObject({ count: rows.length, count_is_estimate: false })
      expect(page.results.map(({ id }) => id)).toEqual(rows.slice(10, 30).map((row) => row.session_id))
    }
  },
)

test('a word that names unnamed visitors is counted exactly', async () => {
  const { store } = service.services
  await sql`UPDATE persons SET properties = '{}' WHERE (properties ->> 'n')::int < 3500`.execute(store)
  const visitors = Array.from({ length: total - 1 }, (_, index) => (index + 1) % 7000)
  const ambers = visitors.filter((n) => n < 3500 && visitorName(null, `visitor-${n}`).startsWith('Amber '))
  expect(ambers.length).toBeGreaterThan(50)
  const page = await listRecordings(service, { search: 'amber', limit: 20 })
  expect(bodyOf(SessionRecordingList, page)).toMatchObject({
    count: ambers.length,
    count_is_estimate: false,
    has_next: true,
  })
})

test('a collection of many recordings, of which some have been deleted, is not taken for one of few', async () => {
  const { store } = service.services
  const [collection] = await rowsOf<{ id: string }>(store)`
    INSERT INTO recording_collections (id, project_id, name, actor, created_at, updated_at)
    VALUES (gen_random_uuid(), ${service.own.project_id}, 'Many', 'Test', now(), now()) RETURNING id`
  await sql`INSERT INTO recording_collection_items
    SELECT ${collection?.id}::uuid, id FROM session_recordings WHERE id % 4 <> 0`.execute(store)
  const deleter = randomUUID()
  await sql`UPDATE session_recordings SET deleted_at = now(), deleted_by = ${deleter}
    WHERE id % 16 = 1 AND deleted_at IS NULL`.execute(store)
  try {
    const page = bodyOf(
      SessionRecordingList,
      await listRecordings(service, { collection: collection?.id ?? '' }),
    )
    expect(page).toMatchObject({ count_is_estimate: true, has_next: true })
    expect(page.count).toBeGreaterThan(countedMax)
  } finally {
    await sql`UPDATE session_recordings SET deleted_at = NULL, deleted_by = NULL
      WHERE deleted_by = ${deleter}`.execute(store)
  }
})

const hours = () => rowsOf<{ hour: Date; count: number; parts: number }>(service.services.store)`
  SELECT hour, sum(count)::bigint AS count, count(*) AS parts FROM session_recording_hours
  WHERE project_id = ${service.own.project_id} GROUP BY hour HAVING sum(count) <> 0 ORDER BY hour`
const recordedHours = () => rowsOf<{ hour: Date; count: number; parts: number }>(service.services.store)`
  SELECT date_trunc('hour', start_time) AS hour, count(*) AS count, 1::bigint AS parts FROM session_recordings
  WHERE project_id = ${service.own.project_id} AND deleted_at IS NULL GROUP BY 1 ORDER BY 1`

test('pages far down the list are correct after recordings are added, moved, deleted and restored', async () => {
  const { store } = service.services
  await insertRecording(service, { session_id: 'added' })
  await sql`UPDATE session_recordings SET start_time = start_time - interval '90 minutes' WHERE id % 1000 = 7`.execute(
    store,
  )
  await sql`DELETE FROM session_recordings WHERE id IN (SELECT id FROM session_recordings ORDER BY start_time LIMIT 3)`.execute(
    store,
  )
  const deleter = randomUUID()
  await sql`UPDATE session_recordings SET deleted_at = now(), deleted_by = ${deleter} WHERE id % 1000 = 8 AND deleted_at IS NULL`.execute(
    store,
  )
  await sql`UPDATE session_recordings SET deleted_at = NULL, deleted_by = NULL WHERE deleted_by = ${deleter} AND id > 9000`.execute(
    store,
  )
  expect((await hours()).some(({ parts }) => parts > 1)).toBe(true)
  await mergeHours(store)
  expect(await hours()).toEqual(await recordedHours())

  for (const order_direction of ['ASC', 'DESC']) {
    const rows = await rowsOf<{ session_id: string }>(store)`
      SELECT session_id FROM session_recordings WHERE project_id = ${service.own.project_id} AND deleted_at IS NULL
      ORDER BY start_time ${sql.raw(order_direction)}, id ${sql.raw(order_direction)}`
    for (const offset of [5001, 9990, 11_111, rows.length - 6000]) {
      const page = await listedIds(service, { order_direction, offset, limit: 20 })
      expect(page, `${order_direction} ${offset}`).toEqual(
        rows.slice(offset, offset + 20).map((row) => row.session_id),
      )
    }
  }
})
