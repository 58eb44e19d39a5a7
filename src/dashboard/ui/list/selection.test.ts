import { expect, test } from 'vitest'
import { nothingSelected, rangeTo, toggled, toggledAll } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort()

test('a click chooses a row, a second one takes it back', () => {
  const one = toggled(nothingSelected, 'b')
  expect(ids(one)).toEqual(['b'])
  expect(ids(toggled(one, 'b'))).toEqual([])
})

test('a range goes from the last choice to the row, in either direction, and keeps what was chosen', () => {
  const start = toggled(toggled(nothingSelected, 'a'), 'd')
  expect(ids(rangeTo(start, 'b', order))).toEqual(['a', 'b', 'c', 'd'])
  expect(ids(rangeTo(rangeTo(start, 'e', order), 'c', order))).toEqual(['a', 'c', 'd', 'e'])
})

test('a range from a row that the filter hides is a choice of one', () => {
  const start = toggled(nothingSelected, 'gone')
  expect(ids(rangeTo(start, 'b', order))).toEqual(['b', 'gone'])
})

test('all that are shown are chosen besides what is hidden, and taken back together', () => {
  const hidden = toggled(nothingSelected, 'z')
  const all = toggledAll(hidden, order)
  expect(ids(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'z'])
  expect(ids(toggledAll(all, order))).toEqual(['z'])
})
