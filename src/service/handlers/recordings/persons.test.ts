import { afterAll, beforeAll, expect, test } from 'vitest'
import { FoundPersons, Person, PersonEvents, PersonRecordings } from '../../../contract/recordings/person.ts'
import { RecordingEvents } from '../../../contract/recordings/session-recording.ts'
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
