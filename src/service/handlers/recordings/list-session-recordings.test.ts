import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QuickCounts } from '../../../contract/recordings/quick-filter.ts'
import { FilterValues } from '../../../contract/recordings/recording-endpoints.ts'
import { recordingOrders, type PropertyFilter } from '../../../contract/recordings/recording-filter.ts'
import { gatherProperties } from '../../recordings/filter/gather-properties.ts'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import {
  insertConsoleEntries,
  insertEvents,
  insertFailedRequests,
  insertPerson,
} from '../../testing/test-sessions.ts'
import { storeFacts } from '../../store/recordings/recording-facts.ts'
import type { StoredFacts } from '../../store/schema/facts-tables.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { listRecordings, listedIds, type Parameters } from '../../testing/test-recording-list.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const list = (parameters: Parameters = {}) => listRecordings(service, parameters)
const listed = (parameters: Parameters) => listedIds(service, parameters)

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

describe('filters', () => {
  let ada: string

  beforeAll(async () => {
    await service.services.store.deleteFrom('session_recordings').execute()
    ada = await insertPerson(service, ['ada', 'ada-phone'], {
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
  })

  const event = (filter: Partial<PropertyFilter>) => ({ properties: [{ type: 'event', ...filter }] })
  const person = (filter: Partial<PropertyFilter>) => ({ properties: [{ type: 'person', ...filter }] })
  const recording = (filter: Partial<PropertyFilter>) => ({ properties: [{ type: 'recording', ...filter }] })
  const request = (...filters: object[]) => ({ failed_request_filters: filters })
  const placed = (...properties: object[]) => ({
    events: [{ id: 'order placed', type: 'events', properties }],
  })

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
    [
      'no form left, or no facts yet',
      recording({ key: 'left_form', value: false }),
      ['four', 'three', 'two'],
    ],
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

  test(`GET ${of}/quick_counts/ counts the quick filters within the other filters`, async () => {
    const counts = async (parameters: Record<string, string>) => {
      const response = await service.request(
        'GET',
        `/api/projects/${service.own.project_id}/session_recordings/quick_counts/?${new URLSearchParams(parameters)}`,
      )
      const body = Object.entries(bodyOf(QuickCounts, response))
      expect(body.every(([, { count_is_estimate }]) => !count_is_estimate)).toBe(true)
      return Object.fromEntries(body.map(([name, { count }]) => [name, count]))
    }
    expect(await counts({})).toMatchObject({
      yesterday: 1,
      failed_requests: 1,
      unwatched: 3,
      live: 1,
      long: 0,
    })
    // Yesterday replaces other dates.
    expect(await counts({ date_to: '2026-03-01' })).toMatchObject({ yesterday: 1, unwatched: 1, live: 0 })
    expect(await counts({ events: '[{"id":"order placed"}]' })).toMatchObject({ yesterday: 0, unwatched: 2 })
  })

  test(`GET ${of}/filter_values/ suggests event names and gathered values of a property`, async () => {
    const suggested = async (query: string) => {
      const path = `/api/projects/${service.own.project_id}/session_recordings/filter_values/?${query}`
      return bodyOf(FilterValues, await service.request('GET', path)).results
    }
    expect(await suggested('')).toEqual(['$pageview', 'order placed'])
    expect(await suggested('search=PLACED')).toEqual(['order placed'])
    service.clock.advance(60_000)
    await gatherProperties(service.services)
    expect(await suggested('key=$browser&search=f')).toEqual(['Firefox', 'Safari'])
    expect(await suggested('type=property&search=o')).toEqual(['total', 'coupon', '$browser'])
    expect(await suggested('key=unknown')).toEqual([])
  })

  test('listing does not mark anything as watched', async () => {
    await listed({})
    const { results } = bodyOf(SessionRecordingList, await list())
    expect(results.map(({ viewed }) => viewed)).toEqual(['', '2026-03-04T10:00:00Z', '', ''])
  })

  test(`GET ${of}/ lists recordings in pages`, async () => {
    const first = bodyOf(SessionRecordingList, await list({ limit: 3 }))
    expect(first).toMatchObject({ count: 4, count_is_estimate: false, has_next: true, previous: null })
    const second = bodyOf(SessionRecordingList, await service.request('GET', first.next ?? ''))
    expect(second).toMatchObject({ count: 4, has_next: false, next: null, results: [{ id: 'one' }] })
    const person = first.results.find(({ id }) => id === 'two')?.person
    expect(person).toMatchObject({ name: 'ada@100%.example', distinct_ids: '["ada","ada-phone"]', uuid: ada })
  })
})

describe('compared with a plain filter in JavaScript', () => {
  const rows: RecordingRow[] = []

  beforeAll(async () => {
    await service.services.store.deleteFrom('session_recordings').execute()
    const random = (below: number) => Math.floor(Math.random() * below)
    for (let number = 0; number < 200; number++)
      rows.push(
        await insertRecording(service, {
          session_id: `session-${number}`,
          distinct_id: `visitor-${random(20)}`,
          start_time: new Date(Date.UTC(2026, 1, 1 + random(28))),
          snapshot_source: random(4) === 0 ? 'mobile' : 'web',
          recording_duration: random(8),
          active_seconds: random(8) / 4,
          inactive_seconds: random(8) / 4,
          click_count: random(8),
          keypress_count: random(8),
          mouse_activity_count: random(8),
          console_error_count: random(3),
          start_url: `https://shop.example/${'abc'[random(3)]}`,
        }),
      )
  })

  test('returns the same recordings for every simple filter, order, direction and page', async () => {
    const filters = fc.record(
      {
        snapshot_source: fc.constantFrom('web', 'mobile'),
        search: fc.constantFrom('/a', 'EXAMPLE/b', 'visitor-1', 'nowhere'),
        date_from: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`),
        clicks: fc.integer({ min: -1, max: 8 }),
      },
      { requiredKeys: [] },
    )
    const page = fc.record({
      limit: fc.integer({ min: 1, max: 60 }),
      offset: fc.integer({ min: 0, max: 210 }),
    })
    const order = fc.constantFrom(...recordingOrders)
    const direction = fc.constantFrom('ASC', 'DESC')
    await fc.assert(
      fc.asyncProperty(
        filters,
        page,
        order,
        direction,
        async ({ clicks, ...filter }, slice, order, direction) => {
          const properties = [{ type: 'recording', key: 'click_count', operator: 'gte', value: clicks }]
          const response = await list({
            ...filter,
            ...slice,
            ...(clicks !== undefined && { properties }),
            order,
            order_direction: direction,
          })
          const expected = rows
            .filter(
              (row) =>
                row.snapshot_source === (filter.snapshot_source ?? row.snapshot_source) &&
                row.start_time >= new Date(filter.date_from ?? 0) &&
                row.click_count >= (clicks ?? 0) &&
                `${row.start_url} ${row.distinct_id}`
                  .toLowerCase()
                  .includes((filter.search ?? '').toLowerCase()),
            )
            .toSorted((a, b) => Number(a[order]) - Number(b[order]) || a.id - b.id)
          if (direction === 'DESC') expected.reverse()
          const end = slice.offset + slice.limit
          const body = bodyOf(SessionRecordingList, response)
          expect(body.results.map(({ id }) => id)).toEqual(
            expected.slice(slice.offset, end).map((row) => row.session_id),
          )
          expect([body.count, body.has_next]).toEqual([expected.length, end < expected.length])
        },
      ),
      { numRuns: 150 },
    )
  })
})
