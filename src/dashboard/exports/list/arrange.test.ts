import { expect, test } from 'vitest'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { arrange, exportsOf } from './arrange.ts'
import { ListSearch } from './list-search.ts'

function row(given: Partial<ExportOverview>): ExportOverview {
  return {
    id: given.name ?? 'id',
    team_id: 1,
    name: 'Orders',
    model: 'events',
    has_query: false,
    destination: { type: 'File', config: { path: 'orders' }, integration: null },
    interval: 'hour',
    paused: false,
    created_at: '2026-11-01T00:00:00Z',
    last_paused_at: null,
    paused_because: null,
    pause_reason: null,
    paused_until: null,
    tags: [],
    owner: '',
    note: '',
    state: 'healthy',
    failing_since: null,
    strip: 'c'.repeat(48),
    missing: 0,
    failed: 0,
    flagged: [],
    running: null,
    records_by_hour: [],
    next_window: null,
    ...given,
  }
}

const s3 = (bucket: string) => ({
  type: 'S3' as const,
  config: { bucket_name: bucket, prefix: 'lake/' },
  integration: null,
})
const rows = [
  row({
    name: 'Orders',
    state: 'failing',
    failed: 3,
    records_by_hour: [5, 6],
    next_window: windowTo('10:00'),
  }),
  row({
    name: 'export 10',
    destination: s3('acme'),
    missing: 2,
    records_by_hour: [100],
    next_window: windowTo('09:30'),
  }),
  row({
    name: 'Export 9',
    state: 'paused',
    paused: true,
    model: 'persons',
    interval: 'day',
    tags: ['crm', 'gdpr'],
    owner: 'Ada',
    note: 'Read by the sales team.',
  }),
]

function windowTo(clock: string) {
  return { start: '2026-11-21T09:00:00Z', end: `2026-11-21T${clock}:00Z` }
}

function names(search: Partial<ListSearch>): string[] {
  return exportsOf(arrange(rows, ListSearch.parse(search))).map(({ name }) => name)
}

test('without URL parameters, shows failing, then incomplete exports first, each in the order of the service', () => {
  expect(names({})).toEqual(['Orders', 'export 10', 'Export 9'])
  const others = [
    row({ name: 'New' }),
    row({ name: 'Short', strip: `${'c'.repeat(47)}s` }),
    row({ name: 'Paused itself', state: 'auto-paused', paused: true }),
    ...rows.toReversed(),
  ]
  const sorted = exportsOf(arrange(others, ListSearch.parse({}))).map(({ name }) => name)
  expect(sorted).toEqual(['Paused itself', 'Orders', 'Short', 'export 10', 'New', 'Export 9'])
})

test.each<[Partial<ListSearch>, string[]]>([
  [{ q: 'S3 EXPORT' }, ['export 10']],
  [{ q: 'every day' }, ['Export 9']],
  [{ q: 'ada sales' }, ['Export 9']],
  [{ tag: 'crm' }, ['Export 9']],
  [{ tag: 'cr' }, []],
  [{ owner: 'Ada' }, ['Export 9']],
  [{ q: 'acme/lake' }, ['export 10']],
  [{ state: 'failing' }, ['Orders']],
  [{ destination: 'S3' }, ['export 10']],
  [{ model: 'persons' }, ['Export 9']],
  [{ interval: 'hour' }, ['Orders', 'export 10']],
  [{ missing: true }, ['export 10']],
  [{ q: 'acme', state: 'failing' }, []],
])('the filter %o matches %o', (search, matching) => {
  expect(names(search)).toEqual(matching)
})

test.each<[ListSearch['sort'], string[]]>([
  ['name', ['Export 9', 'export 10', 'Orders']],
  ['-name', ['Orders', 'export 10', 'Export 9']],
  ['state', ['Orders', 'export 10', 'Export 9']],
  ['-windows', ['Orders', 'export 10', 'Export 9']],
  ['-rows', ['export 10', 'Orders', 'Export 9']],
  ['next', ['export 10', 'Orders', 'Export 9']],
  ['destination', ['Export 9', 'Orders', 'export 10']],
])('sorts by %s', (sort, order) => {
  expect(names({ sort })).toEqual(order)
})

test('groups by state, the most urgent first, each group followed by its exports', () => {
  const lines = arrange(rows, ListSearch.parse({ group: 'state', sort: 'name' }))
  expect(lines.map((line) => (line.kind === 'group' ? `${line.title}:` : line.row.name))).toEqual([
    'failing:',
    'Orders',
    'healthy:',
    'export 10',
    'paused:',
    'Export 9',
  ])
})

test('groups by destination, one group per bucket', () => {
  const lines = arrange(rows, ListSearch.parse({ group: 'destination' }))
  expect(lines.flatMap((line) => (line.kind === 'group' ? [line.title] : []))).toEqual([
    'Folder on the service’s disk',
    's3://acme',
  ])
})

test('invalid URL parameters fall back to their defaults', () => {
  expect(ListSearch.parse({ state: 'broken', sort: 'size', missing: 'yes', group: 3 })).toEqual(
    ListSearch.parse({}),
  )
})
