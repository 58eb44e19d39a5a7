import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Warehouse } from '../engines/clickhouse.ts'
import { testEngines, type TestEngines } from '../engines/test-engines.ts'
import { openStore, type Store } from '../store/database.ts'
import { migrate } from '../store/migrations.ts'
import { createTables } from '../warehouse/tables.ts'
import { decodeCapture, type CapturedEvent } from './decode.ts'
import { openIngest, type Ingest } from './ingest.ts'
import { personIdOf } from './person-id.ts'

const now = Date.UTC(2026, 0, 5, 10, 20, 30, 400)
const clock = { now: () => now }
let engines: TestEngines
let store: Store
let ingest: Ingest
let lastProject = 1000

beforeAll(async () => {
  engines = await testEngines()
  store = openStore(engines.postgres.pool)
  await migrate(store)
  await createTables(engines.warehouse)
  ingest = openIngest({ store, warehouse: engines.warehouse, clock })
})

afterAll(() => engines.cleanup())

describe('events', () => {
  test('are all stored, once, whatever the order and number of the requests', async () => {
    const project = newProject()
    const batches = Array.from({ length: 40 }, (_, batch) =>
      Array.from({ length: 25 }, (_, index) => ({
        event: 'e',
        distinct_id: `u${index}`,
        uuid: uuid(batch, index),
      })),
    )
    await Promise.all([...batches, ...batches.slice(0, 10)].map(async (batch) => capture(project, batch)))
    expect(await events(project)).toHaveLength(1000)
  })

  test('keep what was sent and get the time of the flush', async () => {
    const project = newProject()
    await capture(project, [
      {
        uuid: uuid(0, 0),
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
    expect(await events(project)).toEqual([
      {
        uuid: uuid(0, 0),
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

  test('with what engines refuse (NUL, lone surrogates, huge numbers) are mended, never lost', async () => {
    const project = newProject()
    const body = `{"event":"odd\\u0000\\ud800","distinct_id":"a\\u0000b\\udc00","properties":{"$set":{"k\\u0000":"v\\ud800\\\\u0000","n":1e400,"m":1e308}}}`
    await ingest.add(project, await decoded(body))
    const [event] = await events(project)
    expect(event).toMatchObject({
      event: 'odd\ufffd\ufffd',
      distinct_id: 'a\ufffdb\ufffd',
      person_properties: { 'k\ufffd': 'v\ufffd\\u0000', n: null, m: 1e308 },
    })
    expect(await persons(project)).toMatchObject([{ properties: { 'k\ufffd': 'v\ufffd\\u0000' } }])
  })

  test('of any content that can be read can be stored', async () => {
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
        capture(newProject(), items),
      ),
      { numRuns: 10 },
    )
  })

  test.each(['events', 'persons'])(
    'that were not stored leave nothing behind: sent again they are (%s)',
    async (table) => {
      const project = newProject()
      const insert: Warehouse['insert'] = (name, columns, body) =>
        name === table
          ? Promise.reject(new Error('disk full'))
          : engines.warehouse.insert(name, columns, body)
      const broken = openIngest({ store, clock, warehouse: { ...engines.warehouse, insert } })
      const batch = await decoded([{ event: 'a', distinct_id: 'u', uuid: uuid(0, 1), $set: { x: 1 } }])
      await expect(broken.add(project, batch)).rejects.toThrow('disk full')
      expect(await persons(project)).toEqual([])
      expect(await personRows(project)).toEqual([])
      await ingest.add(project, batch)
      expect(await persons(project)).toMatchObject([{ version: 0, properties: { x: 1 } }])
      expect(await personRows(project)).toHaveLength(1)
      expect(await events(project)).toHaveLength(1)
    },
  )

  test('beyond what can wait are refused, and the others stored', async () => {
    const project = newProject()
    const [event] = await decoded([{ event: 'a', distinct_id: 'u' }])
    if (!event) throw new Error('no event')
    const large = Array.from({ length: 20 }, (_, index) => {
      return { ...event, uuid: uuid(9, index), properties: `{"x":"${'x'.repeat(8_000_000)}"}` }
    })
    const outcomes = await Promise.allSettled(large.map((one) => ingest.add(project, [one])))
    const stored = outcomes.filter((outcome) => outcome.status === 'fulfilled').length
    expect(stored).toBeLessThan(20)
    const rows = await engines.warehouse.query<{ n: number }>(
      'SELECT count() AS n FROM events WHERE team_id = {project: Int64}',
      { params: { project } },
    )
    expect(rows).toEqual([{ n: stored }])
  })
})

describe('persons', () => {
  test('are made by $set, $set_once and $identify alone, under the id that earlier events had', async () => {
    const project = newProject()
    await capture(project, [{ event: '$pageview', distinct_id: 'u' }])
    expect(await persons(project)).toEqual([])
    await capture(project, [
      { event: 'seen', distinct_id: 'u', $set_once: { first: 1 } },
      { event: 'quiet', distinct_id: 'v', $set: { a: 1 }, properties: { $process_person_profile: false } },
    ])
    expect(await persons(project)).toMatchObject([
      { uuid: personIdOf(project, 'u'), properties: { first: 1 } },
    ])
    const ids = (await events(project)).map((event) => [event['distinct_id'], event['person_id']])
    expect(ids.filter(([id]) => id === 'u').every(([, person]) => person === personIdOf(project, 'u'))).toBe(
      true,
    )
  })

  test('stand on each event as they were after it, in the order of the batch', async () => {
    const project = newProject()
    await capture(project, [
      { event: 'e1', distinct_id: 'u', properties: { $set: { plan: 'free' }, $set_once: { first: 'a' } } },
      { event: 'e2', distinct_id: 'u' },
      { event: 'e3', distinct_id: 'u', properties: { $set: { plan: 'pro' }, $set_once: { first: 'b' } } },
      { event: 'e4', distinct_id: 'u', properties: { $unset: ['plan'] } },
    ])
    const properties = (await events(project)).map((event) => [event['event'], event['person_properties']])
    expect(Object.fromEntries(properties)).toEqual({
      e1: { plan: 'free', first: 'a' },
      e2: { plan: 'free', first: 'a' },
      e3: { plan: 'pro', first: 'a' },
      e4: { first: 'a' },
    })
  })

  test('get a version for a real change only', async () => {
    const project = newProject()
    const send = (set: Record<string, unknown>) =>
      capture(project, [{ event: 's', distinct_id: 'u', $set: set }])
    await send({ b: { y: 1, x: [2] }, a: 1 })
    await send({ a: 1, b: { x: [2], y: 1 } })
    expect(await persons(project)).toMatchObject([{ version: 0 }])
    await send({ a: 2 })
    expect(await persons(project)).toMatchObject([{ version: 1, properties: { a: 2, b: { y: 1, x: [2] } } }])
    expect((await personRows(project)).map((row) => row['person_version'])).toEqual([0, 1])
  })

  test('take in the anonymous id that identify names', async () => {
    const project = newProject()
    await capture(project, [identify('ada', 'anon-1', { email: 'ada@example.com' })])
    await capture(project, [{ event: '$pageview', distinct_id: 'anon-1' }])
    expect(await distinctIds(project)).toEqual({
      ada: personIdOf(project, 'ada'),
      'anon-1': personIdOf(project, 'ada'),
    })
    expect((await events(project)).map((event) => event['person_id'])).toEqual(
      Array.from({ length: 2 }, () => personIdOf(project, 'ada')),
    )
  })

  test('keep their id when an anonymous person gets a name', async () => {
    const project = newProject()
    await capture(project, [{ event: 'x', distinct_id: 'anon', $set: { seen: 1 } }])
    await capture(project, [identify('ada', 'anon', { email: 'a' })])
    expect(await persons(project)).toMatchObject([
      { uuid: personIdOf(project, 'anon'), properties: { seen: 1, email: 'a' } },
    ])
    expect(Object.keys(await distinctIds(project))).toEqual(['ada', 'anon'])
  })

  test.each([
    ['in one batch', true],
    ['in several', false],
  ])('merge when both are known: the identified one wins (%s)', async (_, together) => {
    const project = newProject()
    const steps = [
      { event: 'x', distinct_id: 'anon', $set: { plan: 'guest', seen: 1 } },
      { event: 'x', distinct_id: 'ada', $set: { plan: 'pro' } },
      identify('ada', 'anon', {}),
      { event: 'after', distinct_id: 'anon' },
    ]
    if (together) await capture(project, steps)
    else for (const step of steps) await capture(project, [step])
    const ada = personIdOf(project, 'ada')
    expect(await persons(project)).toMatchObject([{ uuid: ada, properties: { plan: 'pro', seen: 1 } }])
    expect(await distinctIds(project)).toEqual({ ada, anon: ada })
    const after = (await events(project)).find((event) => event['event'] === 'after')
    expect(after).toMatchObject({ person_id: ada, person_properties: { plan: 'pro', seen: 1 } })
    const lost = (await personRows(project)).filter((row) => row['is_deleted'] === 1)
    expect(lost.map((row) => row['person_id'])).toEqual(together ? [] : [personIdOf(project, 'anon')])
  })

  test('stay two when a browser that one has used is identified as the other', async () => {
    const project = newProject()
    await capture(project, [identify('ada', 'browser', {})])
    await capture(project, [identify('bob', 'browser', {})])
    expect(await distinctIds(project)).toEqual({
      ada: personIdOf(project, 'ada'),
      browser: personIdOf(project, 'ada'),
      bob: personIdOf(project, 'bob'),
    })
    await capture(project, [
      { event: '$merge_dangerously', distinct_id: 'bob', properties: { alias: 'ada' } },
    ])
    expect(new Set(Object.values(await distinctIds(project)))).toEqual(new Set([personIdOf(project, 'bob')]))
  })

  test('are told to the warehouse with all their distinct ids, a repeated request telling nothing new', async () => {
    const project = newProject()
    const batch = [
      identify('ada', 'anon', { a: 1 }),
      { event: 'x', distinct_id: 'ada', $set: { b: 2 }, uuid: uuid(1, 1) },
    ]
    await capture(project, batch)
    await capture(project, batch)
    expect(await personRows(project)).toMatchObject([
      { distinct_id: 'ada', properties: { a: 1, b: 2 }, person_version: 0, is_deleted: 0 },
      { distinct_id: 'anon', properties: { a: 1, b: 2 }, person_version: 0, is_deleted: 0 },
    ])
  })

  test('are never lost by services that write at the same time', async () => {
    const project = newProject()
    const other = openIngest({ store, warehouse: engines.warehouse, clock })
    const writes = Array.from({ length: 30 }, async (_, index) => {
      const events = await decoded([identify(`user-${index % 3}`, `anon-${index}`, { [`k${index}`]: index })])
      await (index % 2 ? ingest : other).add(project, events)
    })
    await Promise.all(writes)
    const stored = await persons(project)
    expect(stored.flatMap((person) => Object.keys(person.properties)).sort()).toEqual(
      Array.from({ length: 30 }, (_, index) => `k${index}`).sort(),
    )
  })
})

function newProject(): number {
  lastProject += 1
  return lastProject
}

function uuid(batch: number, index: number): string {
  return `00000000-0000-4000-8000-${String(batch * 1000 + index).padStart(12, '0')}`
}

function identify(id: string, anonymous: string, set: Record<string, unknown>) {
  const uuid = personIdOf(0, `${id}:${anonymous}`)
  return {
    event: '$identify',
    distinct_id: id,
    uuid,
    $set: set,
    properties: { $anon_distinct_id: anonymous },
  }
}

async function capture(project: number, items: readonly unknown[]): Promise<void> {
  await ingest.add(project, await decoded(items))
}

async function decoded(body: unknown): Promise<CapturedEvent[]> {
  const text =
    typeof body === 'string'
      ? `{"api_key":"t","batch":[${body}]}`
      : JSON.stringify({ api_key: 't', batch: body })
  const { events } = await decodeCapture({ body: Buffer.from(text), path: '/e/', query: {} }, now)
  return events
}

async function events(project: number): Promise<Record<string, unknown>[]> {
  const rows = await engines.warehouse.query<Record<string, unknown>>(
    `SELECT uuid, event, distinct_id, timestamp, created_at, inserted_at, properties, elements_chain, person_id, person_properties
     FROM events FINAL WHERE team_id = {project: Int64} ORDER BY timestamp, event, distinct_id, uuid`,
    { params: { project } },
  )
  return rows.map((row) => ({
    ...row,
    properties: JSON.parse(String(row['properties'])),
    person_properties: JSON.parse(String(row['person_properties'])),
  }))
}

async function personRows(project: number): Promise<Record<string, unknown>[]> {
  const rows = await engines.warehouse.query<Record<string, unknown>>(
    `SELECT * FROM persons WHERE team_id = {project: Int64} ORDER BY person_version, distinct_id, is_deleted`,
    { params: { project } },
  )
  return rows.map((row) => ({ ...row, properties: JSON.parse(String(row['properties'])) }))
}

async function persons(project: number) {
  return store.selectFrom('persons').selectAll().where('project_id', '=', project).orderBy('id').execute()
}

async function distinctIds(project: number): Promise<Record<string, string>> {
  const { rows } = await sql<{ distinct_id: string; uuid: string }>`
    SELECT d.distinct_id, p.uuid FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
    WHERE d.project_id = ${project} ORDER BY d.distinct_id`.execute(store)
  return Object.fromEntries(rows.map((row) => [row.distinct_id, row.uuid]))
}
