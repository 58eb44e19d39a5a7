import { expect, test } from 'vitest'
import { filtersInWords } from './filter-words.ts'
import { isMinimumValid, readFacets, withFacets } from './filter-facets.ts'
import {
  asFilter,
  invalidParameters,
  withoutDefaults,
  isFiltered,
  listAddress,
  RecordingsSearch,
} from '../../queries/recordings-search.ts'

const now = Date.parse('2026-03-04T12:00:00Z')
const words = (search: RecordingsSearch) => filtersInWords(search, 'utc', now).map((filter) => filter.words)
const everything = {
  event: 'order placed',
  level: 'error',
  message: 'voucher',
  person: 'ada',
  source: 'web',
  recording_duration: '90',
  click_count: '1',
  console_error_count: '2',
  failed_request_count: '3',
  host: 'api.example',
  status: '503',
} as const

test('reads back the filters that the form sets, and describes them', () => {
  const search = RecordingsSearch.parse(withFacets(RecordingsSearch.parse({}), everything))
  expect(readFacets(search)).toEqual(everything)
  expect(words(search)).toEqual([
    'Event happened: order placed',
    'Console level is error',
    'Console message contains voucher',
    'Failed request’s host contains api.example',
    'Failed request’s status is 503',
    'Person: ada',
    'Recorded on: web',
    'At least 1 min 30 s long',
    'At least 1 click',
    'At least 2 errors',
    'At least 3 failed requests',
  ])
})

test('removing every filter by its chip leaves no filter', () => {
  let search = RecordingsSearch.parse(
    withFacets(RecordingsSearch.parse({ date_to: '2026-03-01' }), everything),
  )
  for (
    let [filter] = filtersInWords(search, 'utc', now);
    filter;
    [filter] = filtersInWords(search, 'utc', now)
  )
    search = { ...search, ...filter.without }
  expect(isFiltered(search)).toBe(false)
  expect(withoutDefaults(search)).toEqual({})
})

test('keeps and describes a filter that the form does not offer', () => {
  const property = { type: 'person', key: 'plan', operator: 'is_not', value: ['free', 'trial'] }
  const any = { id: null, properties: [{ key: 'total', operator: 'gt', value: 9 }] }
  const given = RecordingsSearch.parse({ properties: [property], events: [any] })
  const search = RecordingsSearch.parse(withFacets(given, { ...everything, event: '' }))
  expect(search.properties).toContainEqual(property)
  expect(words(search)).toContain('Event happened: any, total > 9')
  expect(words(search)).toContain('Person plan is not free or trial')
})

test('invalid URL parameters fall back to no filter and the default order', () => {
  const search = RecordingsSearch.parse({
    search: 7,
    date_from: 'yesterday',
    order: 'name',
    order_direction: 'up',
    distinct_ids: 'ada',
    person_uuid: 1,
    snapshot_source: 'tv',
    events: [{ name: 'no id' }],
    properties: {},
    console_log_filters: null,
  })
  expect(withoutDefaults(search)).toEqual({ search: '7' })
})

test('the list’s URL contains the parameters of its request', () => {
  const search = RecordingsSearch.parse({ distinct_ids: ['ada'], order: 'click_count', date_from: '-7d' })
  expect(asFilter(search)).toEqual({ distinct_ids: '["ada"]', order: 'click_count', date_from: '-7d' })
  expect(Object.fromEntries(new URLSearchParams(listAddress(search)))).toEqual(asFilter(search))
})

test('names the URL parameters that are not valid, but no default or unknown one', () => {
  const address = {
    search: 7,
    date_from: 'garbage',
    date_to: '-7d',
    order: 'start_time',
    events: [{ name: 'no id' }],
    properties: [],
    snapshot_source: 'web',
    project: 2,
  }
  expect(invalidParameters(address)).toEqual(['date_from=garbage', 'events=[{"name":"no id"}]'])
})

test.each([
  ['', true],
  ['0', true],
  ['90', true],
  ['-3', false],
  ['2.5', false],
  ['1e3', false],
])('the minimum “%s” is valid: %s', (text, valid) => {
  expect(isMinimumValid(text)).toBe(valid)
})
