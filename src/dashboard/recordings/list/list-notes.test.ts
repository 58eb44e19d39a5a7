import { expect, test } from 'vitest'
import { countInWords } from './list-notes.tsx'

test('a count is told exactly, an estimate as roughly as it is known', () => {
  expect(countInWords(1_234, false)).toBe('1,234 recordings')
  expect(countInWords(1, false)).toBe('1 recording')
  expect(countInWords(12_345, true)).toBe('about 12,000 recordings')
  expect(countInWords(1_234_567, true)).toBe('about 1.2 million recordings')
  expect(countInWords(999_999, true)).toBe('about 1 million recordings')
})
