import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FoundPersons,
  Person,
  PersonEvents,
  PersonExports,
  PersonRecordings,
} from '../../../contract/recordings/person.ts'
import { RecordingEvents } from '../../../contract/recordings/session-recording.ts'
import { exportsOfPerson } from '../../exporter/exports-of-person.ts'
import { createExport, insertBackfill, insertRun } from '../../testing/test-rows.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { insertEvents, insertPerson } from '../../testing/test-sessions.ts'

const of = '/api/projects/:project_id/persons'
let service: TestService
let ada: string

beforeAll(async () => {
  service = await createTestService()
  ada = await insertPerson(service, ['ada', 'phone-1'], { email: 'ada@example.com', plan: 'pro' })
  await insertRecording(service, {
    session_id: 'first',
    distinct_id: 'ada',
    start_time: new Date('2026-03-02T10:00:00Z'),
    active_seconds: 30,
  })
  await insertRecording(service, {
    session_id: 'second',
    distinct_id: 'phone-1',
    start_time: new Date('2026-03-04T09:00:00Z'),
    active_seconds: 12.5,
    console_error_count: 2,
  })
  await insertRecording(service, { session_id: 'other', distinct_id: 'bob' })
  await insertRecording(service, { distinct_id: 'ada', deleted_at: new Date() })
  const sent = { session_id: 'second', distinct_id: 'phone-1' }
  const repeated = {
    ...sent,
    uuid: crypto.randomUUID(),
    timestamp: '2026-03-04T09:00:16Z',
    event: 'order placed',
  }
  await insertEvents(service, [
    { session_id: 'first', distinct_id: 'ada', timestamp: '2026-03-01T08:00:00Z' },
    { ...sent, timestamp: '2026-03-04T09:00:05Z' },
    repeated,
    { session_id: 'not recorded', distinct_id: 'ada', timestamp: '2026-03-03T00:00:00Z' },
    { session_id: 'other', distinct_id: 'bob' },
    { ...sent, team_id: service.secondProjectId, timestamp: '2026-03-01T00:00:00Z' },
  ])
  await insertEvents(service, [repeated])
})
afterAll(() => service.stop())

function ask(path: string, key?: string) {
  const prefix = of.replace(':project_id', String(service.own.project_id))
  return service.request('GET', `${prefix}${path}`, key === undefined ? {} : { key })
}

async function person(id: string) {
  const response = await ask(`/${encodeURIComponent(id)}/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(Person, response)
}

test(`GET ${of}/:person_id/ returns a person with the numbers of all its distinct ids`, async () => {
  expect(await person(ada)).toEqual({
    uuid: ada,
    name: 'ada@example.com',
    distinct_ids: ['ada', 'phone-1'],
    distinct_id_count: 2,
    properties: { email: 'ada@example.com', plan: 'pro' },
    created_at: '2026-03-04T10:30:00Z',
    first_seen: '2026-03-01T08:00:00Z',
    last_seen: '2026-03-04T09:01:00Z',
    recording_count: 2,
    active_seconds: 42.5,
    console_error_count: 2,
    event_count: 4,
    events: [
      { event: '$pageview', count: 3 },
      { event: 'order placed', count: 1 },
    ],
  })
})

test('finds a person by each distinct id, which then comes first', async () => {
  expect(await person('phone-1')).toMatchObject({ uuid: ada, distinct_ids: ['phone-1', 'ada'] })
  expect(await person('ada')).toMatchObject({ uuid: ada, distinct_ids: ['ada', 'phone-1'] })
})

test('finds a visitor who was never identified by the distinct id, with events or with recordings', async () => {
  const unidentified = { uuid: null, name: null, created_at: null, properties: {} }
  expect(await person('bob')).toMatchObject({ ...unidentified, distinct_ids: ['bob'], recording_count: 1 })
  const id = 'any/id with "quotes" and 100%'
  await insertEvents(service, [{ session_id: '', distinct_id: id }])
  expect(await person(id)).toMatchObject({
    ...unidentified,
    distinct_ids: [id],
    recording_count: 0,
    event_count: 1,
  })
})

test('finds the surviving person by the UUID from before a merge', async () => {
  const before = crypto.randomUUID()
  const row = {
    team_id: service.own.project_id,
    distinct_id: 'phone-1',
    person_id: before,
    properties: '{}',
    person_version: 2,
    person_distinct_id_version: 0,
    created_at: '2026-03-01 00:00:00',
    is_deleted: 1,
    inserted_at: '2026-03-01 00:00:00',
  }
  await service.services.warehouse.insert('persons', JSON.stringify(row))
  expect(await person(before)).toMatchObject({ uuid: ada })
})

test('does not find the persons and distinct ids of another project, nor those without any data', async () => {
  const other = await insertPerson(service, ['other'], {}, service.secondProjectId)
  await insertRecording(service, { distinct_id: 'theirs', project_id: service.secondProjectId })
  await insertEvents(service, [
    { session_id: '', distinct_id: 'their events', team_id: service.secondProjectId },
  ])
  for (const id of [other, 'other', 'theirs', 'their events', crypto.randomUUID(), 'nobody', 'a\0b']) {
    const response = await ask(`/${encodeURIComponent(id)}/`)
    expect([id, response.status, problemOf(response).detail]).toEqual([id, 404, 'Not found.'])
  }
})

test(`GET ${of}/:person_id/recordings/ returns when the person visited, newest first`, async () => {
  const recordings = bodyOf(PersonRecordings, await ask(`/${ada}/recordings/`))
  expect(recordings).toEqual({
    results: [
      { start_time: '2026-03-04T09:00:00Z', outcome: null, console_error_count: 2 },
      { start_time: '2026-03-02T10:00:00Z', outcome: null, console_error_count: 0 },
    ],
    truncated: false,
  })
})

async function events(parameters: Record<string, string> = {}, id = ada) {
  const response = await ask(`/${encodeURIComponent(id)}/events/?${new URLSearchParams(parameters)}`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(PersonEvents, response)
}

test(`GET ${of}/:person_id/events/ returns events of all distinct ids, newest first, with their moments`, async () => {
  const { results, next, previous } = await events()
  const shown = results.map(({ event, timestamp, distinct_id: id, moment }) => [event, timestamp, id, moment])
  expect(shown).toEqual([
    ['order placed', '2026-03-04T09:00:16Z', 'phone-1', { recording: 'second', at: 16_000 }],
    ['$pageview', '2026-03-04T09:00:05Z', 'phone-1', { recording: 'second', at: 5000 }],
    ['$pageview', '2026-03-03T00:00:00Z', 'ada', null],
    ['$pageview', '2026-03-01T08:00:00Z', 'ada', { recording: 'first', at: 0 }],
  ])
  expect(results[0]?.properties).toEqual({ $session_id: 'second' })
  expect([next, previous]).toEqual([null, null])
})

test('returns events of one name', async () => {
  const { results } = await events({ event: 'order placed' })
  expect(results.map(({ event }) => event)).toEqual(['order placed'])
  expect((await events({ event: 'never sent' })).results).toEqual([])
})

/** Follows a link of a page. */
async function follow(link: string | null) {
  const response = await service.request('GET', String(link).replace(/^https?:\/\/[^/]+/, ''))
  return bodyOf(PersonEvents, response)
}

test('pages through simultaneous events in both directions, and none is repeated or missing', async () => {
  const sent = { session_id: '', distinct_id: 'busy', timestamp: '2026-03-04T09:00:00Z' }
  const uuid = crypto.randomUUID()
  await insertEvents(service, [
    ...Array.from({ length: 118 }, () => sent),
    { ...sent, uuid, event: 'a' },
    { ...sent, uuid, event: 'b' },
  ])
  const first = await events({}, 'busy')
  const second = await follow(first.next)
  await insertEvents(service, [{ ...sent, timestamp: '2026-03-04T09:30:00Z' }])
  const third = await follow(second.next)
  const keys = [first, second, third].map(({ results }) => results.map(({ uuid, event }) => uuid + event))
  expect(keys.map(({ length }) => length)).toEqual([50, 50, 20])
  expect(new Set(keys.flat()).size).toBe(120)
  expect([third.next, first.previous]).toEqual([null, null])
  const back = await follow(third.previous)
  expect(back.results.map(({ uuid, event }) => uuid + event)).toEqual(keys[1])
  const newest = await follow((await follow(back.previous)).previous)
  expect([newest.results.length, newest.previous]).toEqual([1, null])
})

test('ends a page early when its properties are large', async () => {
  const sent = { session_id: '', distinct_id: 'large', properties: { text: 'x'.repeat(900_000) } }
  await insertEvents(service, [sent, sent, sent, sent])
  const first = await events({}, 'large')
  const second = await follow(first.next)
  expect([first.results.length, second.results.length, second.next]).toEqual([3, 1, null])
})

test('returns {} for properties that are not an object, also among the events of a recording', async () => {
  const { session_id } = await insertRecording(service, { distinct_id: 'imported' })
  const [uuid] = await insertEvents(service, [{ session_id: '', distinct_id: 'imported' }])
  const row = {
    team_id: service.own.project_id,
    uuid: crypto.randomUUID(),
    event: 'cut',
    properties: '{"a":',
  }
  const times = Object.fromEntries(
    ['timestamp', 'created_at', 'inserted_at'].map((name) => [name, '2026-03-04 10:00:00']),
  )
  const rest = {
    session_id,
    distinct_id: 'imported',
    elements_chain: '',
    person_id: uuid,
    person_properties: '{}',
  }
  const all = { ...row, ...times, ...rest }
  await service.services.warehouse.insert('events', JSON.stringify(all))
  const { results } = await events({ event: 'cut' }, 'imported')
  expect(results.map(({ properties }) => properties)).toEqual([{}])
  const ofRecording = await service.request(
    'GET',
    `/api/projects/@current/session_recordings/${session_id}/events/`,
  )
  expect(bodyOf(RecordingEvents, ofRecording).results).toMatchObject([{ event: 'cut', properties: {} }])
})

test('rejects an invalid cursor with 404', async () => {
  const odd = [1.5, crypto.randomUUID(), 'a', 'b', false]
  const surrogate = [1, crypto.randomUUID(), '\ud800', '\0', false]
  for (const cursor of [
    'x',
    '%',
    ...[odd, surrogate].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')),
  ]) {
    const response = await ask(`/${ada}/events/?${new URLSearchParams({ cursor })}`)
    expect([response.status, problemOf(response).detail]).toEqual([404, 'Invalid cursor'])
  }
})

test(`GET ${of}/ finds persons by a part of the name or a whole distinct id, that one first`, async () => {
  const named = await insertPerson(service, ['x1'], { name: 'Bea Phone-1 100%' })
  const found = async (search: string) => {
    const response = await ask(`/?${new URLSearchParams({ search })}`)
    return bodyOf(FoundPersons, response).results.map(({ uuid }) => uuid)
  }
  expect(await found('DA@EXAMPLE')).toEqual([ada])
  expect(await found('phone-1')).toEqual([ada, named])
  expect(await found('100%')).toEqual([named])
  expect(await found('%')).toEqual([named])
  expect(await found('nobody')).toEqual([])
  expect((await ask('/')).status).toBe(400)
  expect((await ask('/?search=a%00b')).status).toBe(400)
})

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
