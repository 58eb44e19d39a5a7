import { afterAll, beforeAll, expect, test } from 'vitest'
import { MatchedMoments } from '../../../contract/recordings/session-recording.ts'
import { storeFacts } from '../../store/recordings/recording-facts.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'
import { listedIds, type Parameters } from '../../testing/recordings/test-recording-list.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import {
  insertConsoleEntries,
  insertEvents,
  insertFailedRequests,
  insertPerson,
} from '../../testing/test-sessions.ts'

const of = '/api/projects/:project_id/session_recordings'
const path = '/api/projects/@current/session_recordings'
const start = new Date('2026-03-04T10:30:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000).toISOString()
let service: TestService
let ada: string

const facts: StoredFacts = {
  pages: [],
  page_count: 1,
  outcome: { kind: 'left', label: 'left at Cart', at: 9000 },
  problems: [
    { kind: 'rage', label: 'clicked “Pay” 4 times', at: 4000 },
    { kind: 'request', label: 'POST /pay 500', at: 5000 },
    { kind: 'form', label: 'left the form “Address”', at: 8000 },
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

beforeAll(async () => {
  service = await createTestService()
  ada = await insertPerson(service, ['why', 'ada-phone'], { email: 'ada@why.example', plan: 'pro' })
  const recording = await insertRecording(service, {
    session_id: 'session-1',
    distinct_id: 'why',
    start_time: start,
    recording_duration: 754,
    console_error_count: 2,
    failed_request_count: 1,
    persisted_at: start,
    start_url: 'https://why.example/',
  })
  await storeFacts(service.services.store, recording, facts)
  await insertRecording(service, { session_id: 'another', start_time: start })
  const note = { session_recording_id: 'session-1', at: 7, text: 'Wants a refund' }
  await service.request('POST', '/api/projects/@current/recording_notes/', { body: note })
  const click = { session_id: 'session-1', event: '$autocapture' }
  const page = { session_id: 'session-1', timestamp: after(10) }
  const url = { $current_url: 'https://why.example/cart', $pathname: '/cart' }
  await insertEvents(service, [
    {
      ...click,
      timestamp: after(26),
      properties: { $el_text: 'Redeem', $pathname: '/cart', $browser: 'Chrome' },
    },
    { ...click, timestamp: after(28), properties: { $el_text: 'Cancel' } },
    { ...page, properties: { ...url, $browser: 'Chrome', $geoip_country_code: 'DE' } },
    { ...page, event: 'coupon entered', properties: { total: 9 } },
  ])
  await insertConsoleEntries(service, [
    { session_id: 'session-1', level: 'error', message: 'Coupon refused' },
  ])
  await insertFailedRequests(service, [{ session_id: 'session-1', host: 'why.example', status: 500 }])
})
afterAll(() => service.stop())

async function moments(parameters: Parameters) {
  const texts = Object.entries({ session_ids: ['session-1'], ...parameters }).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return await service.request('GET', `${path}/matched_moments/?${new URLSearchParams(texts)}`)
}

async function reasons(parameters: Parameters): Promise<Record<string, string[]>> {
  const { results } = bodyOf(MatchedMoments, await moments(parameters))
  const inWords = Object.entries(results).map(([id, moments]) => [
    id,
    moments.map(({ at, label }) => (at === null ? label : `${at / 1000}: ${label}`)),
  ])
  return Object.fromEntries(inWords)
}

const event = (key: string, value: string, operator = 'exact') => ({ properties: [{ key, operator, value }] })
const person = { properties: [{ type: 'person', key: 'plan', value: 'pro' }] }
const own = (key: string, value: string | boolean) => ({ properties: [{ type: 'recording', key, value }] })
const least = (key: string) => ({ properties: [{ type: 'recording', key, operator: 'gte', value: 0 }] })

test.each<[string, Parameters, string[]]>([
  ['a clicked text', event('$el_text', 'redeem', 'icontains'), ['26: clicked “Redeem”']],
  ['a visited page', event('$current_url', '/cart', 'icontains'), ['10: visited /cart']],
  ['an event', { events: [{ id: 'coupon entered' }] }, ['10: coupon entered']],
  [
    'an event with a property',
    { events: [{ id: 'coupon entered', properties: [{ key: 'total', value: 9 }] }] },
    ['10: coupon entered'],
  ],
  ['an action', { actions: [{ id: 1, name: 'coupon entered' }] }, ['10: coupon entered']],
  ['a browser', event('$browser', 'Chrome'), ['10: browser: Chrome']],
  ['a country', event('$geoip_country_code', 'DE'), ['10: country: DE']],
  [
    'a console text',
    { console_log_filters: [{ key: 'message', operator: 'icontains', value: 'refused' }] },
    ['0: error: Coupon refused'],
  ],
  ['a failed request', { failed_request_filters: [{ key: 'status', value: 500 }] }, ['5: POST /pay 500']],
  ['many failed requests', least('failed_request_count'), ['5: POST /pay 500']],
  ['errors that the facts lack', least('console_error_count'), ['2 errors']],
  ['rage clicks', least('rage_click_count'), ['4: clicked “Pay” 4 times']],
  ['a form that was left', own('left_form', true), ['8: left the form “Address”']],
  ['an outcome', own('outcome', 'left'), ['9: left at Cart']],
  ['a duration', least('recording_duration'), ['lasted 12 min 34 s']],
  ['an active time', least('active_seconds'), ['active for 40 s']],
  ['clicks', least('click_count'), ['3 clicks']],
  ['a device', own('device', 'mobile'), ['device: mobile']],
  ['unwatched', own('viewed', false), ['not watched']],
  ['kept', own('kept', true), ['kept']],
  ['not shared', own('shared', false), ['not shared']],
  ['noted', own('noted', true), ['7: note “Wants a refund”']],
  ['the text of a note', { search: 'REFUND' }, ['7: note “Wants a refund”']],
  [
    'part of a person’s name and of a page',
    { search: 'why.ex' },
    ['0: began at https://why.example/', 'person ada@why.example'],
  ],
  ['a mentioned e-mail address', { mentions: ['ada@why.example'] }, ['person ada@why.example']],
  ['a mentioned id of the person', { mentions: ['ada-phone'] }, ['id ada-phone']],
  ['a mentioned session', { mentions: ['session-1'] }, ['id session-1']],
  ['a mentioned page', { mentions: ['https://why.example/cart'] }, ['10: visited /cart']],
  ['a distinct id', { distinct_ids: ['ada-phone'] }, ['person ada@why.example']],
  ['a property of the person', person, ['plan: pro']],
  ['a snapshot source', { snapshot_source: 'web' }, ['recorded on web']],
  [
    'several filters: the moments first, in order',
    {
      events: [{ id: 'coupon entered' }],
      properties: [...own('kept', true).properties, ...own('outcome', 'left').properties],
    },
    ['9: left at Cart', '10: coupon entered', 'kept'],
  ],
  ['only a period', { date_from: '2026-03-01' }, []],
])('%s selects the recording and says why', async (_, parameters, expected) => {
  expect(await listedIds(service, parameters)).toContain('session-1')
  expect(await reasons(parameters)).toEqual({ 'session-1': expected })
})

test(`GET ${of}/matched_moments/ says why each of several recordings matches`, async () => {
  expect(await reasons({ session_ids: ['session-1', 'another', 'unknown'], person_uuid: ada })).toEqual({
    'session-1': ['person ada@why.example'],
    another: ['person visitor'],
  })
  expect(await reasons({ session_ids: ['another'], search: 'bright seal' })).toEqual({
    another: ['person Bright Seal'],
  })
  const response = await service.request('GET', `${path}/matched_moments/?search=a`)
  expect([response.status, problemOf(response).attr]).toEqual([400, 'session_ids'])
})

test.each<[string, Parameters, string]>([
  ['an invalid regular expression', event('$current_url', '(', 'regex'), 'properties'],
  [
    'an invalid regular expression on the console',
    { console_log_filters: [{ key: 'message', operator: 'regex', value: '(' }] },
    'console_log_filters',
  ],
  ['an unknown property of recordings', own('constructor', 'x'), 'properties'],
  ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone'],
])('matched moments reject %s', async (_, parameters, attr) => {
  const response = await moments(parameters)
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})
