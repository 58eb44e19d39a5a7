import { expect, test } from 'vitest'
import { lineDiff } from './changed-fields.tsx'

function diff(before: string[], after: string[]): string[] {
  const signs = { same: ' ', removed: '-', added: '+' }
  return lineDiff(before, after).map(({ kind, text }) => signs[kind] + text)
}

test('puts removed lines before added ones, at their position', () => {
  expect(diff(['SELECT', 'a,', 'b,', 'c', 'FROM x'], ['SELECT', 'a,', 'd,', 'c', 'FROM x'])).toEqual([
    ' SELECT',
    ' a,',
    '-b,',
    '+d,',
    ' c',
    ' FROM x',
  ])
})

test('ignores commas at the ends of lines', () => {
  expect(diff(['a,', 'b'], ['a,', 'b,', 'c'])).toEqual([' a,', ' b,', '+c'])
})

test('compares with no lines', () => {
  expect(diff([], ['a'])).toEqual(['+a'])
  expect(diff(['a'], [])).toEqual(['-a'])
})
