import { expect, test } from 'vitest'
import { columnChangeProblem, ColumnChanges } from './column-changes.ts'
import { destinationIssues } from '../destination-issues.ts'

const columns = ['uuid', 'event', 'ip']
const persons = [
  'team_id',
  'distinct_id',
  'person_id',
  'properties',
  'person_version',
  'person_distinct_id_version',
]

test('a column can be left out, renamed and hashed, and names can be swapped', () => {
  const changes = [
    { name: 'uuid', as: 'event', hash: true },
    { name: 'event', as: 'uuid' },
    { name: 'ip', omit: true },
  ]
  expect(ColumnChanges.parse(changes)).toEqual(changes)
  expect(columnChangeProblem(changes, columns, 'events')).toBe(null)
})

test.each([
  [[{ name: 'ip' }, { name: 'ip', hash: true }], 'the column "ip" is listed twice'],
  [
    [{ name: 'ip', omit: true, hash: true }],
    'the column "ip" is left out, so it has no other name and no hash',
  ],
  [[{ name: 'ip', as: '_SPOOL_window' }], 'names that begin with “_spool_” are the service’s own'],
  [[{ name: 'ip', as: 'ü'.repeat(32) }], 'names of columns have at most 63 bytes'],
])('refuses %j', (given, message) => {
  const config = { database: 'shop', host: 'db.example.com', user: 'spool', password: 'p', columns: given }
  expect(destinationIssues({ type: 'Postgres', config }, ['Postgres'])).toEqual([
    {
      attr: 'destination__non_field_errors',
      path: expect.arrayContaining(['destination', 'config', 'columns', expect.stringMatching(/^\d$/)]),
      message: `Configuration has invalid value for 'columns': ${message}`,
    },
  ])
})

test.each([
  [[{ name: 'city', omit: true }], 'The export has no column "city".'],
  [[{ name: 'ip', as: 'EVENT' }], 'Two columns would have the name "EVENT": give one of them another name.'],
  [columns.map((name) => ({ name, omit: true })), 'All columns are left out: keep at least one.'],
])('%j does not fit the columns of an export', (changes, problem) => {
  expect(columnChangeProblem(changes, columns, 'events')).toBe(problem)
})

test('the columns by which persons are merged stay as they are', () => {
  const problem = 'Persons are merged by "distinct_id": it cannot be left out, renamed or hashed.'
  for (const change of [{ omit: true }, { hash: true }, { as: 'visitor' }])
    expect(columnChangeProblem([{ name: 'distinct_id', ...change }], persons, 'persons')).toBe(problem)
  expect(columnChangeProblem([{ name: 'properties', hash: true }], persons, 'persons')).toBe(null)
  expect(columnChangeProblem([{ name: 'distinct_id', hash: true }], ['distinct_id'], 'persons')).toBe(null)
})
