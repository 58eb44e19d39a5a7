import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { openIngest } from './ingest.ts'
import { personIdOf } from './persons/person-id.ts'
import { decoded, testIngest, testUuid, type TestIngest } from '../testing/test-ingest.ts'

let testing: TestIngest
beforeAll(async () => {
  testing = await testIngest()
})
afterAll(() => testing.cleanup())

test('stores every event once, regardless of the order and number of requests', async () => {
  const project = testing.newProject()
  const batches = Array.from({ length: 40 }, (_, batch) =>
    Array.from({ length: 25 }, (_, index) => ({
      event: 'e',
      distinct_id: `u${index}`,
      uuid: testUuid(batch, index),
    })),
  )
  await Promise.all(
    [...batches, ...batches.slice(0, 10)].map(async (batch) => testing.capture(project, batch)),
  )
  expect(await testing.events(project)).toHaveLength(1000)
})

test('limits the size of an insert, whichever text of its events is long', async () => {
  const sizes: number[] = []
  const warehouse: Warehouse = {
    ...testing.warehouse,
    insert(table, body) {
      sizes.push(body.length)
      return testing.warehouse.insert(table, body)
    },
  }
  const ingest = openIngest({ ...testing, warehouse })
  const project = testing.newProject()
  const long = 'x'.repeat(6_000_000)
  const requests = [{ $elements_chain: long }, { $session_id: long }, { long }, { $elements_chain: long }]
  const events = await Promise.all(
    requests.map((properties) => decoded(JSON.stringify({ event: 'e', distinct_id: 'u', properties }))),
  )
  await Promise.all(events.map((event) => ingest.add(project, event)))
  expect(Math.max(...sizes)).toBeLessThan(17 * 1024 * 1024)
})

test('stores events unchanged, with the time of the flush', async () => {
  const project = testing.newProject()
  await testing.capture(project, [
    {
      uuid: testUuid(0, 0),
      event: 'say "hi"',
      distinct_id: 'ünï\\id',
      timestamp: '2026-01-05T10:00:00.123Z',
      properties: {
        text: 'a\nb\u2028"\\',
        nested: { list: [1, null, 'x'] },
        $elements_chain: 'a:text="b"',
      },
    },
  ])
  expect(await testing.events(project)).toEqual([
    {
      uuid: testUuid(0, 0),
      event: 'say "hi"',
      distinct_id: 'ünï\\id',
      timestamp: '2026-01-05 10:00:00.123000',
      created_at: '2026-01-05 10:20:30.400000',
      inserted_at: '2026-01-05 10:20:30.400000',
      properties: { text: 'a\nb\u2028"\\', nested: { list: [1, null, 'x'] } },
      elements_chain: 'a:text="b"',
      person_id: personIdOf(project, 'ünï\\id'),
      person_properties: {},
    },
  ])
})

test('replaces values that engines reject (NUL, lone surrogates, huge numbers) instead of losing events', async () => {
  const project = testing.newProject()
  const body = `{"event":"odd\\u0000\\ud800","distinct_id":"a\\u0000b\\udc00","properties":{"$set":{"k\\u0000":"v\\ud800\\\\u0000","n":1e400,"m":1e308}}}`
  await testing.ingest.add(project, await decoded(body))
  const [event] = await testing.events(project)
  expect(event).toMatchObject({
    event: 'odd\ufffd\ufffd',
    distinct_id: 'a\ufffdb\ufffd',
    person_properties: { 'k\ufffd': 'v\ufffd\\u0000', n: null, m: 1e308 },
  })
  expect(await testing.persons(project)).toMatchObject([{ properties: { 'k\ufffd': 'v\ufffd\\u0000' } }])
})

test('stores any content that can be decoded', async () => {
  const value = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 })
  const properties = fc.dictionary(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('$set', '$set_once', '$unset', '$anon_distinct_id', '__proto__'),
    ),
    fc.oneof(value, fc.dictionary(fc.string({ unit: 'binary' }), value)),
  )
  const text = fc.string({ unit: 'binary', minLength: 1 })
  const item = fc.record({
    event: fc.oneof(text, fc.constant('$identify')),
    distinct_id: fc.oneof(text, fc.constantFrom('u', 'v')),
    properties,
    timestamp: fc.oneof(value, fc.double()),
    uuid: value,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 20, maxLength: 40 }), (items) =>
      testing.capture(testing.newProject(), items),
    ),
    { numRuns: 5 },
  )
})

test.each(['events', 'persons'])(
  'leaves nothing behind when %s cannot be stored, and stores the same events on retry',
  async (table) => {
    const project = testing.newProject()
    const insert: Warehouse['insert'] = (name, body) =>
      name === table ? Promise.reject(new Error('disk full')) : testing.warehouse.insert(name, body)
    const broken = openIngest({ ...testing, warehouse: { ...testing.warehouse, insert } })
    const batch = await decoded([{ event: 'a', distinct_id: 'u', uuid: testUuid(0, 1), $set: { x: 1 } }])
    await expect(broken.add(project, batch)).rejects.toThrow('disk full')
    expect(await testing.persons(project)).toEqual([])
    expect(await testing.personRows(project)).toEqual([])
    await testing.ingest.add(project, batch)
    expect(await testing.persons(project)).toMatchObject([{ version: 0, properties: { x: 1 } }])
    expect(await testing.personRows(project)).toHaveLength(1)
    expect(await testing.events(project)).toHaveLength(1)
  },
)

test('rejects events beyond the waiting limit and stores the others', async () => {
  const project = testing.newProject()
  const [event] = await decoded([{ event: 'a', distinct_id: 'u' }])
  if (!event) throw new Error('no event')
  const large = Array.from({ length: 20 }, (_, index) => {
    return { ...event, uuid: testUuid(9, index), properties: `{"x":"${'x'.repeat(8_000_000)}"}` }
  })
  const outcomes = await Promise.allSettled(large.map((one) => testing.ingest.add(project, [one])))
  const stored = outcomes.filter((outcome) => outcome.status === 'fulfilled').length
  expect(stored).toBeLessThan(20)
  const rows = await testing.warehouse.query<{ n: number }>(
    'SELECT count() AS n FROM events WHERE team_id = {project: Int64}',
    { params: { project } },
  )
  expect(rows).toEqual([{ n: stored }])
})

test('an event is not acknowledged if PostgreSQL breaks while ClickHouse stores it; sent again, it is stored once', async () => {
  const project = testing.newProject()
  const { store, warehouse, clock } = testing
  const breaking: Warehouse = {
    ...warehouse,
    async insert(...rows) {
      await sql`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`.execute(store)
      await warehouse.insert(...rows)
    },
  }
  const item = { uuid: testUuid(0, 0), event: 'e', distinct_id: 'u', $set: { plan: 'free' } }
  const broken = openIngest({ store, warehouse: breaking, clock })
  await expect(broken.add(project, await decoded([item]))).rejects.toThrow(
    /^(terminating connection|Connection terminated|Client has encountered)/,
  )
  expect(await testing.persons(project)).toEqual([])
  await testing.capture(project, [item])
  expect(await testing.events(project)).toHaveLength(1)
  expect(await testing.persons(project)).toHaveLength(1)
})
