import { expect, test } from 'vitest'
import { listed } from './english.ts'

test('lists items, and counts those beyond the limit', () => {
  expect(listed(['a', 'b', 'c', 'd'])).toBe('a, b, c and d')
  expect(listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and two others')
  expect(listed(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toBe('a, b, c and five others')
  expect(listed(['a', 'b', 'c'], 2, 'page')).toBe('a and two more pages')
})
