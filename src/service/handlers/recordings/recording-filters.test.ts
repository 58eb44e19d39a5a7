import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import {
  listRecordings,
  listedIds,
  type Parameters,
  event,
  person,
  recording,
  request,
  placed,
  insertFilteredRecordings,
} from '../../testing/recordings/test-recording-list.ts'

let service: TestService
let ada: string

beforeAll(async () => {
  service = await createTestService()
  ada = await insertFilteredRecordings(service)
})
afterAll(() => service.stop())

const list = (parameters: Parameters = {}) => listRecordings(service, parameters)
const listed = (parameters: Parameters) => listedIds(service, parameters)

test.each<[string, Parameters, string[]]>([
  ['no filter', {}, ['four', 'three', 'two', 'one']],
  ['sessions', { session_ids: ['one', 'three', 'gone', 'elsewhere', 'x'] }, ['three', 'one']],
  ['no sessions', { session_ids: [] }, []],
  ['a distinct id, and others of the same person', { distinct_ids: ['ada'] }, ['two', 'one']],
  ['a distinct id without a person', { distinct_ids: ['stranger'] }, ['four']],
  ['an unknown person', { person_uuid: '00000000-0000-4000-8000-000000000000' }, []],
  ['a snapshot source', { snapshot_source: 'mobile' }, ['two']],
  ['a start', { date_from: '2026-03-02T10:00:00Z' }, ['four', 'three', 'two']],
  ['a relative start', { date_from: '-1d' }, ['four']],
  ['a start too far in the past', { date_from: '-99999y' }, ['four', 'three', 'two', 'one']],
  ['an end, inclusive', { date_to: '2026-03-02T10:00:00Z' }, ['two', 'one']],
  ['an end day, inclusive', { date_to: '2026-03-02' }, ['two', 'one']],
  ['a day in a time zone', { date_from: '-1dStart', date_to: '-1dEnd', timezone: 'Asia/Tokyo' }, ['three']],
  ['a watched recording', recording({ key: 'viewed', value: true }), ['three']],
  ['unwatched recordings', recording({ key: 'viewed', value: false }), ['four', 'two', 'one']],
  [
    'recordings that are not kept',
    recording({ key: 'kept', operator: 'is_not', value: true }),
    ['four', 'three', 'one'],
  ],
  ['a recording with a note', recording({ key: 'noted', value: true }), ['one']],
  ['recordings without a note', recording({ key: 'noted', value: false }), ['four', 'three', 'two']],
  ['the text of a note', { search: 'REFUND' }, ['one']],
  ['a recording that a link opens', recording({ key: 'shared', value: true }), ['two']],
  ['recordings that no link opens', recording({ key: 'shared', value: false }), ['four', 'three', 'one']],
  ['an ongoing recording', recording({ key: 'ongoing', value: 'true' }), ['four']],
  ['a mentioned e-mail address, in any case', { mentions: ['ADA@100%.example'] }, ['two', 'one']],
  ['a mentioned session or distinct id', { mentions: ['one', 'linus'] }, ['three', 'one']],
  [
    'a mentioned URL of any page',
    { mentions: ['https://shop.example/Lamps', 'https://shop.example/paid'] },
    ['three', 'one'],
  ],
  ['rage clicks', recording({ key: 'rage_click_count', operator: 'gte', value: 1 }), ['one']],
  ['no form left, or no facts yet', recording({ key: 'left_form', value: false }), ['four', 'three', 'two']],
  ['an outcome', recording({ key: 'outcome', value: 'left' }), ['one']],
  ['a country', recording({ key: 'country', value: ['DE', 'FR'] }), ['one']],
  [
    'a device that is not a phone',
    recording({ key: 'device', operator: 'is_not', value: 'mobile' }),
    ['four', 'three', 'two'],
  ],
  ['part of a URL in any case', { search: 'LAMPS' }, ['one']],
  ['a literal underscore', { search: 'a_b' }, ['one']],
  ['a literal percent sign', { search: '0%.e' }, ['two', 'one']],
  ['the name of a person', { search: 'linu' }, ['three']],
  ['part of a distinct id', { search: 'strang' }, ['four']],
  [
    'a numeric property of the recording',
    recording({ key: 'click_count', operator: 'gt', value: 7 }),
    ['four', 'two'],
  ],
  [
    'a number as a string',
    recording({ key: 'click_count', operator: 'lte', value: '7.9' }),
    ['three', 'one'],
  ],
  ['any of several numbers', recording({ key: 'click_count', value: [7, '70', 0.5] }), ['two', 'one']],
  [
    'none of several numbers',
    recording({ key: 'click_count', operator: 'is_not', value: [7, 70] }),
    ['four', 'three'],
  ],
  ['a fraction', recording({ key: 'active_seconds', operator: 'lt', value: 1.75 }), ['two']],
  [
    'a very large number',
    recording({ key: 'duration', operator: 'lt', value: 1e300 }),
    ['four', 'three', 'two', 'one'],
  ],
  ['a pattern of the URL', recording({ key: 'start_url', operator: 'regex', value: 'L\\w+s\\b' }), ['one']],
  ['a person’s property', person({ key: 'plan', value: 'pro' }), ['two', 'one']],
  ['a person’s number as a string', person({ key: 'age', value: '36' }), ['two', 'one']],
  ['a person’s number that is greater', person({ key: 'age', operator: 'gt', value: 10 }), ['two', 'one']],
  [
    'not a value of a person’s property',
    person({ key: 'plan', operator: 'is_not', value: 'pro' }),
    ['four', 'three'],
  ],
  ['a person’s property that is set', person({ key: 'name', operator: 'is_set' }), ['three']],
  [
    'a person’s property that is not set',
    person({ key: 'name', operator: 'is_not_set' }),
    ['four', 'two', 'one'],
  ],
  ['an event', placed(), ['two', 'one']],
  ['any event', { events: [{ id: null }] }, ['three', 'two', 'one']],
  ['an action by its name', { actions: [{ id: 3, name: 'order placed' }] }, ['two', 'one']],
  ['an event with a number', placed({ key: 'total', operator: 'gt', value: '9' }), ['two']],
  [
    'an event with a property of the person',
    { events: [{ id: '$pageview', properties: [{ key: 'plan', type: 'person', value: 'pro' }] }] },
    ['one'],
  ],
  ['an event without a property', placed({ key: 'coupon', operator: 'is_not_set' }), ['two']],
  ['two events', { events: [{ id: '$pageview' }, { id: 'order placed' }] }, ['two', 'one']],
  ['an event’s property', event({ key: '$browser', value: ['Chrome'] }), ['three', 'one']],
  [
    'not a value of an event’s property',
    event({ key: '$browser', operator: 'is_not', value: 'Chrome' }),
    ['four', 'two'],
  ],
  ['part of an event’s property', event({ key: 'coupon', operator: 'icontains', value: 'spr' }), ['one']],
  [
    'not part of an event’s property',
    event({ key: 'coupon', operator: 'not_icontains', value: 'spr' }),
    ['four', 'three', 'two'],
  ],
  [
    'not a pattern of an event’s property',
    event({ key: '$browser', operator: 'not_regex', value: '^(Chrome|Safari)$' }),
    ['four'],
  ],
  [
    'a console level',
    { console_log_filters: [{ key: 'level', value: ['error'], type: 'log_entry' }] },
    ['two', 'one'],
  ],
  [
    'level and message of one console entry',
    {
      console_log_filters: [
        { key: 'level', value: 'error' },
        { key: 'message', operator: 'icontains', value: 'payment' },
      ],
    },
    ['one'],
  ],
  [
    'a console entry among properties',
    { properties: [{ type: 'log_entry', key: 'message', value: 'Not found' }] },
    ['two'],
  ],
  [
    'an event and a numeric property',
    { ...placed(), ...recording({ key: 'click_count', operator: 'gt', value: 10 }) },
    ['two'],
  ],
  ['a failed request', recording({ key: 'failed_request_count', operator: 'gte', value: 1 }), ['one']],
  [
    'a count of failed requests that is known',
    recording({ key: 'failed_request_count', operator: 'is_set' }),
    ['two', 'one'],
  ],
  ['the host of a failed request', request({ key: 'host', value: 'api.example' }), ['three', 'one']],
  ['part of a host', request({ key: 'host', operator: 'icontains', value: 'IMG' }), ['one']],
  ['the status of a failed request', request({ key: 'status', value: [404, 503] }), ['one']],
  ['a range of statuses', request({ key: 'status', operator: 'lt', value: 500 }), ['three', 'one']],
  [
    'host and status of one failed request',
    request({ key: 'host', value: 'api.example' }, { key: 'status', value: 404 }),
    [],
  ],
  ['an SQL injection as search text', { search: `'; DROP TABLE persons; --` }, []],
  [
    'an SQL injection as a property',
    event({ key: `'] OR 1=1 --`, value: [`' OR '1'='1`, '\\', '{x: String}'] }),
    [],
  ],
])('%s', async (_, parameters, expected) => {
  expect(await listed(parameters)).toEqual(expected)
})

test('filters by the uuid of a person', async () => {
  expect(await listed({ person_uuid: ada })).toEqual(['two', 'one'])
})

test.each<[string, Parameters, string, string]>([
  ['an unknown parameter', { colour: 'red' }, 'colour', '"colour" is not recognised.'],
  ['an unknown order', { order: 'id' }, 'order', '"id" is not a valid choice.'],
  ['invalid JSON', { events: '[' }, 'events', 'This must be JSON.'],
  ['a null character', { session_ids: ['\0'] }, 'session_ids', 'Null characters are not allowed.'],
  [
    'an invalid pattern for an event',
    event({ key: 'a', operator: 'regex', value: '(' }),
    'properties',
    '"(" is not a valid RE2 regular expression: missing ): (',
  ],
  [
    'an invalid pattern for a person',
    person({ key: 'a', operator: 'regex', value: '(?=a)' }),
    'properties',
    '"(?=a)" is not a valid RE2 regular expression: invalid perl operator: (?=',
  ],
  [
    'an unknown property of recordings',
    recording({ key: 'colour', value: 1 }),
    'properties',
    'A recording has no property "colour". Its properties are recording_duration',
  ],
  [
    'a word instead of a number',
    recording({ key: 'click_count', value: 'many' }),
    'properties',
    '"click_count" is a number',
  ],
  [
    'a flag that is neither true nor false',
    recording({ key: 'viewed', value: 'often' }),
    'properties',
    '"viewed" is true or false',
  ],
  ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone', '"Mars/Olympus" is not a time zone'],
  [
    'a missing value',
    event({ key: 'a', operator: 'gt' }),
    'properties',
    'The filter on "a" with "gt" needs a value.',
  ],
  [
    'an unknown key of console entries',
    { console_log_filters: [{ key: 'colour', value: 'a' }] },
    'console_log_filters',
    'Console entries have "level" and "message", not "colour".',
  ],
  [
    'an unknown key of failed requests',
    { failed_request_filters: [{ key: 'colour', value: 'a' }] },
    'failed_request_filters__0__key',
    'colour',
  ],
  [
    'an invalid pattern for a host',
    request({ key: 'host', operator: 'regex', value: '(' }),
    'failed_request_filters',
    '"(" is not a valid RE2 regular expression: missing ): (',
  ],
  [
    'a recording property on an event',
    placed({ key: 'duration', type: 'recording', value: 1 }),
    'events',
    'A filter of type "recording" does not apply to events.',
  ],
])('rejects %s and names the parameter', async (_, parameters, attr, detail) => {
  const response = await list(parameters)
  expect(response.status, response.text).toBe(400)
  const problem = problemOf(response)
  expect(problem.attr).toBe(attr)
  expect(problem.detail).toContain(detail)
})

test('rejects a pattern that re2 supports and PostgreSQL does not', async () => {
  const response = await list(person({ key: 'plan', operator: 'regex', value: '(?P<plan>pro)' }))
  expect([response.status, problemOf(response).attr]).toEqual([400, 'properties'])
})
