import { expect, test } from 'vitest'
import { matchScore } from './match.ts'

const exports = ['Orders, hourly', 'Border crossings', 'Daily archive', 'Order items', 'Old readers']

function found(typed: string): string[] {
  return exports
    .map((text) => ({ text, score: matchScore(typed, text) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ text }) => text)
}

test('ranks the start of a word above its middle, and both above scattered letters', () => {
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
