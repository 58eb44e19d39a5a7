import { expect, test } from 'vitest'
import { countInWords } from './recording-count.tsx'

test('shows an exact count in full, and rounds an estimate', () => {
  expect(countInWords(1_234, false)).toBe('1,234 recordings')
  expect(countInWords(1, false)).toBe('1 recording')
  expect(countInWords(12_345, true)).toBe('about 12,000 recordings')
  expect(countInWords(1_234_567, true)).toBe('about 1.2 million recordings')
  expect(countInWords(999_999, true)).toBe('about 1 million recordings')
})
