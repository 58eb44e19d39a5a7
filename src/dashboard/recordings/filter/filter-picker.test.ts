import { expect, test } from 'vitest'
import { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { quickKinds } from './filter-picker.tsx'

test('the picker offers each quick filter until it is on', () => {
  const search = RecordingsSearch.parse({})
  const yesterday = quickKinds(search).find(({ label }) => label === 'Yesterday')
  const change = yesterday?.apply(search, [])
  expect(change).toEqual({ date_from: '-1dStart', date_to: '-1dEnd' })
  const labels = quickKinds({ ...search, ...change }).map(({ label }) => label)
  expect(labels).not.toContain('Yesterday')
  expect(labels).toContain('Errors')
})
