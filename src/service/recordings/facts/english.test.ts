import { expect, test } from 'vitest'
import { asSentence, listed } from './english.ts'

test('lists items, and counts those beyond the limit', () => {
  expect(listed(['a', 'b', 'c', 'd'])).toBe('a, b, c and d')
  expect(listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and two others')
  expect(listed(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toBe('a, b, c and five others')
  expect(listed(['a', 'b', 'c'], 2, 'page')).toBe('a and two more pages')
})

test('a sentence ends with one full stop', () => {
  expect(asSentence('The page ran into an error: No stock')).toBe('The page ran into an error: No stock.')
  for (const text of ['An error: The coupon has expired.', 'An error: Really?', 'An error: Cannot read…'])
    expect(asSentence(text)).toBe(text)
})
