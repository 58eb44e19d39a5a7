import { expect, test } from 'vitest'
import { dragTo, nothingSelected, rangeTo, startDrag, toggled, toggledAll } from './selection.ts'

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

/** Drags from the first row over the others; null leaves the column of checkboxes. */
function dragOver(selection: typeof nothingSelected, [first = '', ...rest]: readonly (string | null)[]) {
  return rest.reduce((drag, id) => dragTo(drag, id, order), startDrag(selection, first ?? '')).now
}

test('a drag selects all rows between two positions, and deselects them on the way back', () => {
  expect(ids(dragOver(nothingSelected, ['a', 'd']))).toEqual(['a', 'b', 'c', 'd'])
  expect(ids(dragOver(toggled(nothingSelected, 'c'), ['b', 'e', 'b', 'a']))).toEqual(['a', 'b', 'c'])
})

test('a drag leaves out the rows that it passes outside the column', () => {
  const apart = dragOver(nothingSelected, ['a', null, 'c', null, 'e'])
  expect(ids(apart)).toEqual(['a', 'c', 'e'])
  expect(ids(dragOver(nothingSelected, ['e', 'd', null, 'b', 'c', 'b', null]))).toEqual(['b', 'd', 'e'])
  // The next range starts where the last stroke did.
  expect(ids(rangeTo(apart, 'd', order))).toEqual(['a', 'c', 'd', 'e'])
})

test('a drag from a selected row deselects', () => {
  const all = toggledAll(nothingSelected, order)
  expect(ids(dragOver(all, ['b', null, 'd', 'e', 'd']))).toEqual(['a', 'c', 'e'])
})

test('a drag keeps what it has selected if its first row disappears from the list', () => {
  const drag = dragTo(startDrag(nothingSelected, 'a'), 'c', order)
  const next = dragTo(drag, 'd', ['c', 'd', 'e'])
  expect(ids(next.now)).toEqual(['a', 'b', 'c', 'd'])
  expect(dragTo(next, 'b', ['c', 'd', 'e'])).toEqual(next)
})
