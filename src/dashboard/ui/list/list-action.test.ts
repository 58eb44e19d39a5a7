import { expect, test } from 'vitest'
import { actionOfKey, possibleRows, reasonAgainst, type ListAction } from './list-action.ts'

type Row = { id: string; paused: boolean }
type Action = ListAction<Row, null>

const pause: Action = {
  label: 'Pause',
  keys: ['p'],
  reason: ({ paused }) => (paused ? 'It is paused.' : null),
  reasonForAll: () => 'All are paused.',
  perform: () => undefined,
}
const unpause: Action = {
  label: 'Unpause',
  keys: ['p'],
  reason: ({ paused }) => (paused ? null : 'It is not paused.'),
  perform: () => undefined,
}

const running = { id: 'running', paused: false }
const paused = { id: 'paused', paused: true }

test('performs an action on the rows for which it is possible', () => {
  expect(possibleRows(pause, [paused, running], [])).toEqual([running])
  expect(reasonAgainst(pause, [paused, running], [])).toBeNull()
})

test('returns the reason why an action is impossible, phrased for one row or for several', () => {
  expect(possibleRows(pause, [paused], [])).toEqual([])
  expect(reasonAgainst(pause, [paused], [])).toBe('It is paused.')
  expect(reasonAgainst(pause, [paused, paused], [])).toBe('All are paused.')
  expect(reasonAgainst(unpause, [running, running], [])).toBe('It is not paused.')
})

test('performs the first possible action of those that share a key', () => {
  const actionOf = (rows: readonly Row[]) => actionOfKey([pause, unpause], 'p', rows, [])
  expect(actionOf([running, paused])).toBe(pause)
  expect(actionOf([paused])).toBe(unpause)
})
