import { afterAll, beforeAll, expect, test } from 'vitest'
import { PersonExports } from '../../../contract/recordings/person.ts'
import { exportsOfPerson } from '../../exporter/exports-of-person.ts'
import { createExport, insertBackfill, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { insertEvents, insertPerson } from '../../testing/test-sessions.ts'

const of = '/api/projects/:project_id/persons'
let service: TestService
let ada: string

beforeAll(async () => {
  service = await createTestService()
  ada = await insertPerson(service, ['ada'], { plan: 'pro' })
  await insertEvents(service, [{ session_id: '', distinct_id: 'bob' }])
})
afterAll(() => service.stop())

function ask(path: string, key?: string) {
  const prefix = of.replace(':project_id', String(service.own.project_id))
  return service.request('GET', `${prefix}${path}`, key === undefined ? {} : { key })
}

const minutes = (time: string, count: number) => new Date(Date.parse(time) + count * 60_000)
/** The window of an hour, as a run has it. */
const hourFrom = (time: string) => ({
  data_interval_start: new Date(time),
  data_interval_end: minutes(time, 60),
})

async function exportsOf(id: string) {
  const response = await ask(`/${encodeURIComponent(id)}/exports/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(PersonExports, response)
}

/** Returns the windows of an export that contain a person, and the starts of the newest of them. */
async function windowsOf(id: string, exportId: string) {
  const { results } = await exportsOf(id)
  const found = results.find((each) => each.id === exportId)
  return found ? [found.windows, ...found.runs.map((run) => run.data_interval_start.slice(11, 16))] : null
}

/** Inserts an event of a distinct id that arrived at a time. */
async function arrive(
  distinctId: string,
  arrived: string,
  { event = 'x', timestamp = arrived, plan = 'free' } = {},
) {
  const row = {
    team_id: service.own.project_id,
    uuid: crypto.randomUUID(),
    event,
    properties: JSON.stringify({ plan }),
    distinct_id: distinctId,
    timestamp,
    created_at: arrived,
    inserted_at: arrived,
    elements_chain: '',
    person_id: crypto.randomUUID(),
    person_properties: '{}',
  }
  await service.services.warehouse.insert('events', JSON.stringify(row))
}

test(`GET ${of}/:person_id/exports/ counts windows of completed runs that hold rows of the person`, async () => {
  const made = await createExport(service, { name: 'All events' })
  const started_at = new Date('2026-03-02T12:00:00Z')
  await arrive('held', '2026-03-02T01:10:00Z', { timestamp: '2026-03-01T23:00:00Z' })
  await arrive('held', '2026-03-02T03:59:59Z')
  await arrive('held', '2026-03-02T05:00:00Z')
  await arrive('another', '2026-03-02T02:30:00Z')
  for (const time of ['01', '02', '03', '04'])
    await insertRun(service, made, { ...hourFrom(`2026-03-02T${time}:00:00Z`), started_at })
  await insertRun(service, made, { ...hourFrom('2026-03-02T05:00:00Z'), started_at, status: 'Failed' })
  const again = await insertRun(service, made, { ...hourFrom('2026-03-02T03:00:00Z'), started_at })
  const { results } = await exportsOf('held')
  expect(results).toMatchObject([
    { id: made.id, name: 'All events', model: 'events', interval: 'hour', filtered: false, windows: 2 },
  ])
  expect(
    results[0]?.runs.map(({ id, data_interval_start }) => [id === again.id, data_interval_start]),
  ).toEqual([
    [true, '2026-03-02T03:00:00Z'],
    [false, '2026-03-02T01:00:00Z'],
  ])
  expect(await windowsOf('another', made.id)).toEqual([1, '02:00'])
  expect(await windowsOf('bob', made.id)).toBeNull()
})

test('judges a backfill by the times of events, and only by events that had arrived before it started', async () => {
  const made = await createExport(service, { name: 'Backfilled' })
  await insertBackfill(service, made)
  const early = { timestamp: '2026-01-05T07:30:00Z' }
  await arrive('late', '2026-03-02T08:00:00Z', early)
  const run = { ...hourFrom('2026-01-05T07:00:00Z'), selects_by: 'time' as const }
  await insertRun(service, made, { ...run, started_at: new Date('2026-03-02T07:00:00Z') })
  expect(await windowsOf('late', made.id)).toBeNull()
  await insertRun(service, made, { ...run, started_at: new Date('2026-03-02T09:00:00Z') })
  expect(await windowsOf('late', made.id)).toEqual([1, '07:00'])
})

test('applies the events that an export includes or excludes, and its query', async () => {
  const run = { ...hourFrom('2026-03-02T14:00:00Z'), started_at: new Date('2026-03-02T15:00:10Z') }
  await arrive('chosen', '2026-03-02T14:10:00Z', { event: 'order placed', plan: 'pro' })
  const variants = [
    { hogql_query: `SELECT event FROM events WHERE properties.plan = 'pro'` },
    { hogql_query: `SELECT event FROM events WHERE properties.plan = 'free'` },
    { config: { include_events: ['order placed'] } },
    { config: { exclude_events: ['order placed'] } },
  ]
  const held = []
  for (const [index, { config, ...input }] of variants.entries()) {
    const destination = { type: 'File', config: { path: `person-${index}`, ...config } }
    const made = await createExport(service, { destination, ...input })
    await insertRun(service, made, run)
    held.push(await windowsOf('chosen', made.id))
  }
  expect(held).toEqual([[1, '14:00'], null, [1, '14:00'], null])
})

test('counts windows of the interval that an export had before', async () => {
  const made = await createExport(service, { interval: 'day' })
  await arrive('daily', '2026-03-02T16:10:00Z')
  const day = { data_interval_start: new Date('2026-03-02'), data_interval_end: new Date('2026-03-03') }
  await insertRun(service, made, { ...day, started_at: new Date('2026-03-03T00:00:10Z') })
  const path = `/api/projects/${service.own.project_id}/batch_exports/${made.id}/`
  await service.request('PATCH', path, { body: { interval: 'hour' } })
  expect(await windowsOf('daily', made.id)).toEqual([1, '00:00'])
})

test('finds exports of persons by the times at which a profile changed, and of recordings by theirs', async () => {
  const persons = await createExport(service, {
    model: 'persons',
    hogql_query: `SELECT person_id FROM persons WHERE properties.plan = 'pro'`,
  })
  const recordings = await createExport(service, { model: 'recordings' })
  const run = { ...hourFrom('2026-03-02T18:00:00Z'), started_at: new Date('2026-03-02T19:00:10Z') }
  for (const made of [persons, recordings]) await insertRun(service, made, run)
  const at = '2026-03-02 18:20:00'
  const profile = {
    team_id: service.own.project_id,
    distinct_id: 'ada',
    person_id: ada,
    person_distinct_id_version: 0,
    created_at: at,
    is_deleted: 0,
  }
  const change = (plan: string, minute: string, person_version: number) =>
    service.services.warehouse.insert(
      'persons',
      JSON.stringify({
        ...profile,
        person_version,
        properties: JSON.stringify({ plan }),
        inserted_at: `2026-03-02 18:${minute}:00`,
      }),
    )
  await change('pro', '20', 3)
  expect(await windowsOf(ada, persons.id)).toEqual([1, '18:00'])
  // A run exports the latest state of the window.
  await change('free', '40', 4)
  expect(await windowsOf(ada, persons.id)).toBeNull()
  await service.services.warehouse.command(
    `INSERT INTO recordings (team_id, session_id, version, distinct_id, person_id, start_time, end_time, inserted_at)
    VALUES (${service.own.project_id}, 'mirrored', 1, 'ada', '${ada}', '2026-03-02 18:00:00', '2026-03-02 18:01:00', '${at}')`,
  )
  expect(await windowsOf(ada, recordings.id)).toEqual([1, '18:00'])
})

test('requires the scope of exports too, and leaves out deleted exports and those of other projects', async () => {
  const key = await service.newKey({ scopes: ['session_recording:read'] })
  const response = await ask(`/${ada}/exports/`, key)
  expect([response.status, problemOf(response).detail]).toEqual([
    403,
    "API key missing required scope 'batch_export:read'",
  ])
  const { total, checked } = await exportsOf('bob')
  const made = await createExport(service)
  expect(await exportsOf('bob')).toMatchObject({ total: total + 1, checked: checked + 1 })
  await service.request('DELETE', `/api/projects/${service.own.project_id}/batch_exports/${made.id}/`)
  await createExport(service, {}, `/api/projects/${service.secondProjectId}/batch_exports/`)
  expect(await exportsOf('bob')).toMatchObject({ total, checked })
})

test('exports for which the time does not suffice are counted but not compared', async () => {
  await createExport(service)
  const { total } = await exportsOf('bob')
  let time = 0
  const slow = { ...service.services, clock: { ...service.services.clock, now: () => (time += 60_000) } }
  const bob = { project_id: service.own.project_id, distinct_ids: ['bob'] }
  expect(await exportsOfPerson(slow, bob)).toEqual({ found: [], checked: 0, total })
})
