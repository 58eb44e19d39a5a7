import { expect, test } from 'vitest'
import { bestMatches, matchScore } from './match.ts'

const exports = ['Orders, hourly', 'Border crossings', 'Daily archive', 'Order items', 'Old readers']

function found(typed: string): string[] {
  return [...bestMatches(exports, typed, (text) => text)]
}

test('ranks the start of a word above its middle, and both above abbreviations', () => {
  expect(found('order')).toEqual(['Order items', 'Orders, hourly', 'Border crossings', 'Old readers'])
  expect(found('arch')).toEqual(['Daily archive'])
  expect(found('ohl')).toEqual(['Orders, hourly'])
})

test('requires every word, in any order and case', () => {
  expect(found('HOURLY ord')).toEqual(['Orders, hourly'])
  expect(found('hourly daily')).toEqual([])
})

test('matches everything when nothing is typed', () => {
  expect(found('  ')).toHaveLength(exports.length)
})

test('finds no letters scattered over the words of a long text', () => {
  const long =
    'Quarterly revenue hand-over for the finance department in Reykjavík with all orders, carts and visitors'
  for (const typed of ['dark', 'hana', 'rustic']) expect(matchScore(typed, long)).toBeNull()
  expect(matchScore('hana', 'Show my last actions as curl')).toBeNull()
  expect(matchScore('qrho', long)).not.toBeNull()
  expect(matchScore('fidep', long)).not.toBeNull()
})
