import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  MatchingEvents,
  NullableRecording,
  RecordingEvents,
  RecordingProperties,
} from '../../../contract/recordings/session-recording.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { insertEvents } from '../../testing/test-sessions.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService
let uuids: string[]

beforeAll(async () => {
  service = await createTestService()
  await insertRecording(service, { session_id: 'watched' })
  const sent = { session_id: 'watched', timestamp: '2026-03-04T10:00:03Z', event: 'order placed' }
  const again = { ...sent, uuid: crypto.randomUUID(), properties: { total: 9 } }
  uuids = await insertEvents(service, [
    { ...again, properties: { total: 9, coupon: 'SPRING' } },
    {
      ...sent,
      timestamp: '2026-03-04T10:00:01.500Z',
      event: '$pageview',
      properties: {
        $browser: 'Chrome',
        $current_url: 'https://shop.example/',
        utm_source: 'mail',
        title: 'Shop',
      },
    },
    {
      ...sent,
      timestamp: '2026-03-04T10:00:02Z',
      properties: { total: 20 },
      person_properties: { plan: 'pro' },
    },
    { ...sent, team_id: service.secondProjectId },
    { ...sent, session_id: 'only events' },
  ])
  await insertEvents(service, [again])
})
afterAll(() => service.stop())

async function ask(path: string, parameters: Record<string, unknown>) {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  const prefix = of.replace(':project_id', String(service.own.project_id))
  return service.request('GET', `${prefix}/${path}?${query}`)
}

async function matching(parameters: Record<string, unknown>) {
  const response = await ask('matching_events/', { session_ids: ['watched'], ...parameters })
  expect(response.status, response.text).toBe(200)
  return bodyOf(MatchingEvents, response)
}

const placed = { id: 'order placed', type: 'events', order: 0, name: 'order placed' }
const noKeys = Object.fromEntries(Object.keys(NullableRecording.shape).map((key) => [key, null]))

test(`GET ${of}/matching_events/ returns the session’s matching events, once each and oldest first`, async () => {
  const [first, , earlier] = uuids
  expect(await matching({ events: [placed] })).toMatchObject({
    id: 'watched',
    results: [earlier, first],
    timestamps: ['2026-03-04T10:00:02Z', '2026-03-04T10:00:03Z'],
  })
})

test('an event must match any of the events and actions, and all properties', async () => {
  const [first, page, earlier] = uuids
  const view = { id: '$pageview' }
  expect((await matching({ events: [placed], actions: [{ id: 7, name: '$pageview' }] })).results).toEqual([
    page,
    earlier,
    first,
  ])
  const dear = [{ key: 'total', operator: 'gt', value: 10, type: 'event' }]
  expect((await matching({ events: [placed, view], properties: dear })).results).toEqual([earlier])
  expect((await matching({ events: [{ ...placed, properties: dear }, view] })).results).toEqual([
    page,
    earlier,
  ])
  const pro = [{ key: 'plan', value: 'pro', type: 'person' }]
  expect((await matching({ events: [{ id: null }], properties: pro })).results).toEqual([earlier])
})

test('finds the events of a session without a recording, with every recording key null', async () => {
  const [, , , , uuid] = uuids
  expect(await matching({ session_ids: ['only events'], events: [placed] })).toMatchObject({
    ...noKeys,
    results: [uuid],
  })
  const none = { ...noKeys, results: [], timestamps: [] }
  expect(await matching({ session_ids: ['unknown'], events: [placed] })).toEqual(none)
})

test.each<[string, Record<string, unknown>, string]>([
  ['no session', { events: [placed] }, 'Must specify exactly one session_id'],
  ['two sessions', { session_ids: ['a', 'b'], events: [placed] }, 'Must specify exactly one session_id'],
  ['no filter', { session_ids: ['watched'] }, 'Must specify at least one event or action filter'],
  [
    'properties alone',
    { session_ids: ['watched'], events: [], properties: [{ key: 'total', value: 9 }] },
    'Must specify at least one event or action filter',
  ],
])('rejects %s', async (_, parameters, detail) => {
  const response = await ask('matching_events/', parameters)
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ type: 'validation_error', code: 'invalid_input', detail, attr: null })
})

test('rejects an invalid pattern and names the parameter', async () => {
  const properties = [{ key: 'total', operator: 'regex', value: '[' }]
  const response = await ask('matching_events/', { session_ids: ['watched'], events: [placed], properties })
  expect([response.status, problemOf(response).attr]).toEqual([400, 'properties'])
})

test(`GET ${of}/properties/ returns the visitor’s properties from the first event of each session`, async () => {
  const response = await ask('properties/', { session_ids: ['watched', 'unknown', 'watched'] })
  const body = bodyOf(RecordingProperties, response)
  expect(body.id).toBe('watched')
  expect(body.results).toEqual([
    {
      id: 'watched',
      properties: {
        $browser: 'Chrome',
        $current_url: 'https://shop.example/',
        $entry_current_url: 'https://shop.example/',
        utm_source: 'mail',
      },
    },
    { id: 'unknown', properties: {} },
  ])
  expect((await ask('properties/', { session_ids: ['unknown', 'watched'] })).body).toMatchObject(noKeys)
  expect((await ask('properties/', {})).body).toEqual({ ...noKeys, results: [] })
})

test('rejects a session id that is not a string', async () => {
  expect(problemOf(await ask('properties/', { session_ids: ['a', 1] }))).toMatchObject({
    code: 'invalid_input',
    detail: 'Invalid session_id: 1 - not a string',
    attr: null,
  })
})

test(`GET ${of}/:id/events/ returns the session’s events, once each and oldest first`, async () => {
  const [first, page, earlier] = uuids
  const body = bodyOf(RecordingEvents, await ask('watched/events/', {}))
  expect(body.results.map(({ uuid }) => uuid)).toEqual([page, earlier, first])
  expect(body.truncated).toBe(false)
  expect(body.results[0]).toMatchObject({
    event: '$pageview',
    timestamp: '2026-03-04T10:00:01.500000Z',
    properties: { title: 'Shop' },
  })
})

test('returns the first 5,000 events at most', async () => {
  await insertRecording(service, { session_id: 'long' })
  const events = Array.from({ length: 5001 }, (_, index) => ({
    session_id: 'long',
    event: `event ${index}`,
    timestamp: new Date(Date.UTC(2026, 2, 4) + index).toISOString(),
  }))
  await insertEvents(service, events.toReversed())
  const body = bodyOf(RecordingEvents, await ask('long/events/', {}))
  expect([body.results.length, body.truncated]).toEqual([5000, true])
  expect(body.results.at(-1)?.event).toBe('event 4999')
})
