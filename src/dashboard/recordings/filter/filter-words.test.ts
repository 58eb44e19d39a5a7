import { expect, test } from 'vitest'
import { allFiltersInWords, filtersInWords, searchForMentions, isQuick, toggled } from './filter-words.ts'
import { filterKinds, readSeconds } from './filter-kinds.ts'
import { quickFilterNames } from '../../../contract/recordings/quick-filter.ts'
import {
  asFilter,
  invalidParameters,
  withoutDefaults,
  isFiltered,
  listAddress,
  RecordingsSearch,
} from '../../queries/recordings/recordings-search.ts'

const now = Date.parse('2026-03-04T12:00:00Z')
const checkout = { id: '01900000-0000-7000-8000-000000000000', name: 'Checkout' }
const context = { zone: 'utc' as const, now, collections: [checkout] }
const noSearch = RecordingsSearch.parse({})
const words = (search: RecordingsSearch) => filtersInWords(search, context).map((filter) => filter.words)

/** An answer to each question of each kind of filter, and the words of the filter. */
const everything: Record<string, readonly [answers: readonly string[], words: string]> = {
  Person: [['ada@shop.example'], 'Person, id or page: ada@shop.example'],
  Browser: [['Chrome'], 'Browser is Chrome'],
  Country: [['DE'], 'Country is Germany'],
  'Operating system': [['Linux'], 'Operating system is Linux'],
  Device: [['Mobile'], 'Device is Mobile'],
  'Recorded on': [['web'], 'Recorded on: web'],
  'Page visited': [['/cart'], 'Page visited contains /cart'],
  'Clicked text': [['Redeem'], 'Clicked text contains Redeem'],
  Event: [['order placed'], 'Event happened: order placed'],
  'Event with a property': [['order placed', 'total', '9'], 'Event happened: order placed, total is 9'],
  'Console text': [['voucher'], 'Console message contains voucher'],
  'Console level': [['error'], 'Console level is error'],
  'Failed request’s host': [['api.example'], 'Failed request’s host contains api.example'],
  'Failed request’s status': [['503'], 'Failed request’s status is 503'],
  Duration: [['90'], 'At least 1 min 30 s long'],
  'Active time': [['10'], 'At least 10 s active'],
  Clicks: [['1'], 'At least 1 click'],
  Errors: [['2'], 'At least 2 errors'],
  'Failed requests': [['3'], 'At least 3 failed requests'],
  'Rage clicks': [['3'], 'At least 3 rage clicks'],
  Outcome: [['left'], 'Outcome is left'],
  Watched: [['true'], 'Watched'],
  Kept: [['false'], 'Not kept'],
  Noted: [['true'], 'Noted'],
  Shared: [['false'], 'Not shared'],
  Collection: [[checkout.id], 'In collection: Checkout'],
}

test('every kind of filter is in the URL, and a chip describes and removes it', () => {
  expect(filterKinds.map(({ label }) => label)).toEqual(Object.keys(everything))
  for (const kind of filterKinds) {
    const [answers = [], expected] = everything[kind.label] ?? []
    expect(kind.questions.length).toBe(answers.length)
    const search = RecordingsSearch.parse({ ...noSearch, ...kind.apply(noSearch, answers) })
    expect(words(search)).toEqual([expected])
    const [chip] = filtersInWords(search, context)
    expect(isFiltered({ ...search, ...chip?.without })).toBe(false)
  }
})

test('a quick filter is turned on and off, beside the other filters', () => {
  const other = { type: 'person' as const, key: 'plan', operator: 'exact' as const, value: 'pro' }
  const before = RecordingsSearch.parse({ properties: [other] })
  for (const name of quickFilterNames) {
    const on = { ...before, ...toggled(before, name) }
    expect([isQuick(before, name), isQuick(on, name)]).toEqual([false, true])
    expect(on.properties).toContainEqual(other)
    expect(words(on)).toEqual(['Person plan is pro'])
    expect(allFiltersInWords(on, context)).toHaveLength(2)
    expect({ ...on, ...toggled(on, name) }).toEqual(before)
  }
})

test('finds what a ticket names, and says so', () => {
  const text = 'ada@shop.example cannot pay, see https://shop.example/cart and https://shop.example/pay'
  const search = { ...noSearch, ...searchForMentions(text) }
  expect(search.mentions).toHaveLength(3)
  expect(words(search)).toEqual(['Mentioned in pasted text: 1 e-mail address and 2 URLs'])
})

test('describes a filter that the picker does not offer', () => {
  const property = { type: 'person', key: 'plan', operator: 'is_not', value: ['free', 'trial'] }
  const any = { id: null, properties: [{ key: 'total', operator: 'gt', value: 9 }] }
  const search = RecordingsSearch.parse({ properties: [property], events: [any] })
  expect(words(search)).toContain('Event happened: any, total > 9')
  expect(words(search)).toContain('Person plan is not free or trial')
})

test('describes filters that only an address contains', () => {
  const actions = [{ id: 3, name: 'Ordered' }]
  const search = RecordingsSearch.parse({ session_ids: ['one', 'two'], actions, collection: checkout.id })
  const inWords = (collections?: []) =>
    filtersInWords(search, { ...context, collections }).map((filter) => filter.words)
  expect(inWords([])).toEqual(['Action happened: Ordered', 'One of 2 recordings', 'In a deleted collection'])
  expect(inWords()).toContain('In a collection')
})

test.each([
  ['90', 90],
  ['90 s', 90],
  ['1.5 min', 90],
  ['2h', 7200],
  ['soon', null],
  ['-3', null],
])('reads “%s” as %s seconds', (text, seconds) => {
  expect(readSeconds(text)).toBe(seconds)
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

test('the request names the time zone of whole days', () => {
  expect(asFilter({ date_from: '-1dStart', date_to: '-1dEnd' })).toMatchObject({
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
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
