import { expect, test } from 'vitest'
import { nothingSelected, rangeTo, toggled, toggledAll } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort()

test('toggles a row', () => {
  const one = toggled(nothingSelected, 'b')
  expect(ids(one)).toEqual(['b'])
  expect(ids(toggled(one, 'b'))).toEqual([])
})

test('selects a range from the anchor to the row, in either direction, and keeps other selected rows', () => {
  const start = toggled(toggled(nothingSelected, 'a'), 'd')
  expect(ids(rangeTo(start, 'b', order))).toEqual(['a', 'b', 'c', 'd'])
  expect(ids(rangeTo(rangeTo(start, 'e', order), 'c', order))).toEqual(['a', 'c', 'd', 'e'])
})

test('selects only the row if the filter hides the anchor', () => {
  const start = toggled(nothingSelected, 'gone')
  expect(ids(rangeTo(start, 'b', order))).toEqual(['b', 'gone'])
})

test('selects all shown rows besides the hidden ones, and deselects them together', () => {
  const hidden = toggled(nothingSelected, 'z')
  const all = toggledAll(hidden, order)
  expect(ids(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'z'])
  expect(ids(toggledAll(all, order))).toEqual(['z'])
})
