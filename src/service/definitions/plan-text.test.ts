import { expect, test } from 'vitest'
import type { PlannedChange } from '../../contract/exports/export-definition.ts'
import { planText } from './plan-text.ts'

const field = (name: string, before: unknown, after: unknown) => ({
  field: name,
  before,
  after,
  secret: false,
})
const secret = { field: 'destination.config.key', before: null, after: null, secret: true }

const changes: PlannedChange[] = [
  {
    name: 'New',
    batch_export: null,
    action: 'create',
    fields: [field('interval', null, 'hour'), field('end_at', null, null), secret],
  },
  {
    name: 'Old\u001b[31m',
    batch_export: 'a',
    action: 'update',
    fields: [
      field('interval', 'hour', 'day'),
      field('tags', null, ['a', 'b']),
      field('note', '', 'two\nlines'),
      field('hogql_query', 'SELECT event, distinct_id, timestamp FROM events', 'SELECT event FROM events'),
      secret,
    ],
  },
  { name: 'Same', batch_export: 'b', action: 'unchanged', fields: [] },
  { name: 'Other', batch_export: 'c', action: 'unlisted', fields: [] },
]

test('shows each change, without secrets and without characters that a terminal obeys', () => {
  expect(planText({ applied: false, changes })).toBe(String.raw`+ New
    interval: hour
    destination.config.key: secret, not shown

~ Old\u{1b}[31m
    interval: hour → day
    tags: none → ["a","b"]
    note: "" → "two\nlines"
    hogql_query:
      - SELECT event, distinct_id, timestamp FROM events
      + SELECT event FROM events
    destination.config.key: secret changed, not shown

Not in the file, and kept (--prune deletes them): Other

Plan: 1 to create, 1 to change, 0 to delete, 1 unchanged.`)
})

test('says what has been applied', () => {
  const deleted: PlannedChange = { name: 'Other', batch_export: 'c', action: 'delete', fields: [] }
  expect(planText({ applied: true, changes: [deleted] })).toBe(
    '- Other\n\nApplied: 0 created, 0 changed, 1 deleted, 0 unchanged.',
  )
})
