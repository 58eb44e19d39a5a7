import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Preview } from '../../../contract/exports/preview.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
const ask = (body: object) =>
  service.request('POST', '/api/projects/@current/batch_exports/preview/', { body })

beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
  await insertEvents(service.own.project_id, 8, '2026-03-04T09:10:00Z', 'order placed')
  await insertEvents(service.own.project_id, 3, '2026-03-04T09:20:00Z', 'search')
  await insertEvents(service.own.project_id, 2, '2026-03-04T06:20:00Z', 'early')
  await insertEvents(service.other.project_id, 4, '2026-03-04T09:30:00Z', 'of another project')
})
afterAll(() => service.stop())

async function insertEvents(team_id: number, count: number, at: string, event: string) {
  const lines = Array.from({ length: count }, (_, index) => ({
    team_id,
    uuid: randomUUID(),
    event,
    properties: JSON.stringify({ $browser: 'Firefox', price: index }),
    distinct_id: `someone-${index}`,
    timestamp: at,
    created_at: at,
    inserted_at: at,
    elements_chain: '',
    person_id: randomUUID(),
    person_properties: '{}',
  }))
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  await service.services.warehouse.insert('events', body)
}

async function preview(body: object = {}) {
  const response = await ask({ model: 'events', interval: 'hour', ...body })
  expect(response.status, response.text).toBe(200)
  return bodyOf(Preview, response)
}

test('POST /api/projects/:project_id/batch_exports/preview/ returns 200 with columns, five rows and the count of the last interval', async () => {
  const found = await preview()
  expect(found).toMatchObject({
    rows_in_last_interval: 11,
    interval_start: '2026-03-04T09:00:00Z',
    interval_end: '2026-03-04T10:00:00Z',
  })
  expect(found.columns).toEqual([
    { name: 'uuid', type: 'UUID' },
    { name: 'timestamp', type: 'DateTime' },
    { name: 'inserted_at', type: 'DateTime' },
    { name: 'created_at', type: 'DateTime' },
    { name: 'event', type: 'String' },
    { name: 'properties', type: 'JSON' },
    { name: 'distinct_id', type: 'String' },
    { name: 'elements_chain', type: 'String' },
    { name: 'person_properties', type: 'JSON' },
    { name: 'person_id', type: 'UUID' },
  ])
  expect(found.rows).toHaveLength(5)
  expect(found.rows[0]?.[1]).toMatch(/^2026-03-04T09:[12]0:00/)
  expect(found.rows[0]?.[5]).toMatchObject({ $browser: 'Firefox' })
  expect(JSON.stringify(found.rows)).not.toContain('of another project')
})

test('previews a query as it would be exported, with the selected events only', async () => {
  const hogql_query = `SELECT event AS what, properties.$browser AS browser, toFloat(properties.price) AS price FROM events`
  const found = await preview({ hogql_query, include_events: ['search'] })
  expect(found.rows_in_last_interval).toBe(3)
  expect(found.columns).toEqual([
    { name: 'what', type: 'String' },
    { name: 'browser', type: 'String' },
    { name: 'price', type: 'Float64' },
  ])
  expect(found.rows).toHaveLength(3)
  for (const price of [0, 1, 2]) expect(found.rows).toContainEqual(['search', 'Firefox', price])
  expect((await preview({ exclude_events: ['search', 'order placed'] })).rows_in_last_interval).toBe(0)
})

test('samples rows of earlier days if the last interval has none', async () => {
  const found = await preview({ include_events: ['early'], hogql_query: 'SELECT event FROM events' })
  expect(found).toMatchObject({ rows_in_last_interval: 0, rows: [['early'], ['early']] })
})

test('previews persons, even if there are none', async () => {
  const found = await preview({ model: 'persons', interval: 'day' })
  expect(found).toMatchObject({ rows: [], rows_in_last_interval: 0, interval_end: '2026-03-04T00:00:00Z' })
  expect(found.columns.map(({ name }) => name)).toContain('person_version')
})

test('every endpoint that takes a query returns the position of a syntax error', async () => {
  const hogql_query = 'SELECT event,\n  (uuid FROM events'
  const response = await ask({ model: 'events', interval: 'hour', hogql_query })
  expect(response.status).toBe(400)
  const problem = problemOf(response)
  expect(problem).toMatchObject({ attr: 'hogql_query', position: { line: 2 } })
  const input = {
    name: 'x',
    interval: 'hour',
    destination: { type: 'File', config: { path: 'a' } },
    hogql_query,
  }
  const created = await service.request('POST', '/api/projects/@current/batch_exports/', { body: input })
  expect(problemOf(created).position).toEqual(problem.position)
})

test('a type error has the position of the function, if the query contains it once', async () => {
  const hogql_query = 'SELECT event, lower(timestamp) AS l FROM events'
  const response = await ask({ model: 'events', interval: 'hour', hogql_query })
  expect(response.status, response.text).toBe(400)
  expect(problemOf(response)).toMatchObject({
    attr: 'hogql_query',
    position: { line: 1, column: 15, offset: 14 },
  })
})

test('rejects invalid input', async () => {
  for (const body of [
    {},
    { model: 'x', interval: 'hour' },
    { model: 'events' },
    { model: 'events', interval: 'hour', include_events: [1] },
  ])
    expect((await ask(body)).status).toBe(400)
})
