import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QuickCounts } from '../../../contract/recordings/quick-filter.ts'
import { FilterValues } from '../../../contract/recordings/recording-endpoints.ts'
import { recordingOrders } from '../../../contract/recordings/recording-filter.ts'
import { gatherProperties } from '../../recordings/filter/gather-properties.ts'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import {
  listRecordings,
  listedIds,
  type Parameters,
  insertFilteredRecordings,
} from '../../testing/recordings/test-recording-list.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService
let ada: string

beforeAll(async () => {
  service = await createTestService()
  ada = await insertFilteredRecordings(service)
})
afterAll(() => service.stop())

const list = (parameters: Parameters = {}) => listRecordings(service, parameters)
const listed = (parameters: Parameters) => listedIds(service, parameters)

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
