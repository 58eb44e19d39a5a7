import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

function diff(before: string[], after: string[]): string[] {
  const signs = { same: ' ', removed: '-', added: '+' }
  return lineDiff(before, after).map(({ kind, text }) => signs[kind] + text)
}

test('what is gone stands before what came, in the place where it was', () => {
  expect(diff(['SELECT', 'a,', 'b,', 'c', 'FROM x'], ['SELECT', 'a,', 'd,', 'c', 'FROM x'])).toEqual([
    ' SELECT',
    ' a,',
    '-b,',
    '+d,',
    ' c',
    ' FROM x',
  ])
})

test('a comma that moves is no difference', () => {
  expect(diff(['a,', 'b'], ['a,', 'b,', 'c'])).toEqual([' a,', ' b,', '+c'])
})

test('from nothing and to nothing', () => {
  expect(diff([], ['a'])).toEqual(['+a'])
  expect(diff(['a'], [])).toEqual(['-a'])
})
