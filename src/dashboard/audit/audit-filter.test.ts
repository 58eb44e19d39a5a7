import { expect, test } from 'vitest'
import { actionsOf, filterOf } from './audit-filter.ts'

test('days are whole in the chosen zone; unknown actions and missing parameters are not sent', () => {
  expect(
    filterOf({ from: '2026-03-01', to: '2026-03-02', action: 'nothing', type: 'nothing' }, 'utc'),
  ).toEqual({
    after: '2026-03-01T00:00:00Z',
    before: '2026-03-03T00:00:00Z',
  })
  expect(
    filterOf({ q: 'a', type: 'key', action: 'key.created', actor: 'Ada', object: '1', project: 2 }, 'utc'),
  ).toEqual({
    search: 'a',
    object_type: 'key',
    action: ['key.created'],
    actor: 'Ada',
    object: '1',
    project: 2,
  })
  expect(filterOf({}, 'utc')).toEqual({})
})

test('only the actions on a type of object are offered', () => {
  expect(actionsOf('key')).toEqual(['key.created', 'key.revoked', 'key.refused'])
  expect(actionsOf(undefined)).toEqual([])
})
