import { expect } from 'vitest'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import { bodyOf, type TestResponse, type TestService } from '../test-service.ts'
import type { PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import { insertRecording } from '../test-recordings.ts'
import { insertConsoleEntries, insertEvents, insertFailedRequests, insertPerson } from '../test-sessions.ts'
import { storeFacts } from '../../store/recordings/recording-facts.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'

export type Parameters = Record<string, unknown>

/** Requests the first project's recordings. Parameters that are not text are sent as JSON. */
export function listRecordings(service: TestService, parameters: Parameters): Promise<TestResponse> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  return service.request('GET', `/api/projects/${service.own.project_id}/session_recordings/?${query}`)
}

/** Returns the ids of the listed recordings. */
export async function listedIds(service: TestService, parameters: Parameters): Promise<string[]> {
  const response = await listRecordings(service, parameters)
  expect(response.status, response.text).toBe(200)
  return bodyOf(SessionRecordingList, response).results.map(({ id }) => id)
}

const facts: StoredFacts = {
  pages: [],
  page_count: 1,
  outcome: { kind: 'left', label: 'left at Cart', at: 9000 },
  problems: [
    { kind: 'rage', label: 'clicked “Pay” 4 times', at: 4000 },
    { kind: 'request', label: 'POST /pay 500', at: 5000 },
  ],
  strip: Array.from({ length: 48 }, () => 0),
  moment: 4000,
  browser: 'Chrome',
  os: null,
  device: 'mobile',
  country: 'DE',
  summary: null,
  rage_click_count: 2,
  left_form: true,
  time: [],
}

/** Inserts the recordings `one` to `four` of the first project, and some that no list shows; returns the UUID of a person. */
export async function insertFilteredRecordings(service: TestService): Promise<string> {
  const ada = await insertPerson(service, ['ada', 'ada-phone'], {
    email: 'ada@100%.example',
    plan: 'pro',
    age: 36,
  })
  await insertPerson(service, ['linus'], { name: 'Linus', plan: 'free', age: 7, email: '' })
  const at = (time: string) => ({ start_time: new Date(time) })
  const one = await insertRecording(service, {
    ...at('2026-03-01T10:00:00Z'),
    session_id: 'one',
    distinct_id: 'ada',
    click_count: 7,
    failed_request_count: 2,
    start_url: 'https://shop.example/Lamps?a_b',
  })
  await insertRecording(service, {
    ...at('2026-03-02T10:00:00Z'),
    session_id: 'two',
    persisted_at: new Date(0),
    distinct_id: 'ada-phone',
    click_count: 70,
    failed_request_count: 0,
    snapshot_source: 'mobile',
    active_seconds: 1.5,
  })
  await insertRecording(service, {
    ...at('2026-03-03T10:00:00Z'),
    session_id: 'three',
    viewed_at: new Date('2026-03-04T10:00:00Z'),
    distinct_id: 'linus',
    click_count: 0,
  })
  await insertRecording(service, {
    ...at('2026-03-04T10:00:00Z'),
    session_id: 'four',
    distinct_id: 'stranger',
    click_count: 700,
    last_updated_at: new Date(service.clock.now()),
  })
  await storeFacts(service.services.store, one, facts)
  await insertRecording(service, { session_id: 'gone', distinct_id: 'ada', deleted_at: new Date(0) })
  await insertRecording(service, { project_id: service.secondProjectId, session_id: 'elsewhere' })
  const of = '/api/projects/@current/session_recordings'
  const note = { session_recording_id: 'one', at: 4, text: 'Wants a refund' }
  await service.request('POST', '/api/projects/@current/recording_notes/', { body: note })
  await service.request('PATCH', `${of}/two/sharing/`, { body: { enabled: true } })
  await service.request('PATCH', `${of}/three/sharing/`, { body: { enabled: false } })
  await insertEvents(service, [
    { session_id: 'one', event: 'order placed', properties: { total: 9, coupon: 'SPRING' } },
    { session_id: 'one', properties: { $browser: 'Chrome' }, person_properties: { plan: 'pro' } },
    { session_id: 'two', event: 'order placed', properties: { total: 100, coupon: null } },
    { session_id: 'two', properties: { $browser: 'Safari' } },
    { session_id: 'three', properties: { $browser: 'Chrome' } },
    { session_id: 'three', properties: { $browser: 'Firefox', $current_url: 'https://shop.example/paid' } },
    { session_id: 'four', event: 'order placed', team_id: service.secondProjectId },
  ])
  await insertFailedRequests(service, [
    { session_id: 'one', host: 'api.example', status: 503 },
    { session_id: 'one', host: 'img.example', status: 404 },
    { session_id: 'three', host: 'api.example', status: 0 },
  ])
  await insertConsoleEntries(service, [
    { session_id: 'one', level: 'error', message: 'Payment declined' },
    { session_id: 'two', level: 'warn', message: 'Payment slow' },
    { session_id: 'two', level: 'error', message: 'Not found' },
  ])
  return ada
}

export const event = (filter: Partial<PropertyFilter>) => ({ properties: [{ type: 'event', ...filter }] })
export const person = (filter: Partial<PropertyFilter>) => ({ properties: [{ type: 'person', ...filter }] })
export const recording = (filter: Partial<PropertyFilter>) => ({
  properties: [{ type: 'recording', ...filter }],
})
export const request = (...filters: object[]) => ({ failed_request_filters: filters })
export const placed = (...properties: object[]) => ({
  events: [{ id: 'order placed', type: 'events', properties }],
})
