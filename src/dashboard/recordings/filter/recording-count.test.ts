import { expect, test } from 'vitest'
import { countInWords } from './recording-count.tsx'

const words = (count: number, isEstimate: boolean) => countInWords({ count, count_is_estimate: isEstimate })

test('shows an exact count in full, and rounds an estimate', () => {
  expect(words(1_234, false)).toBe('1,234 recordings')
  expect(words(1, false)).toBe('1 recording')
  expect(words(12_345, true)).toBe('about 12,000 recordings')
  expect(words(1_234_567, true)).toBe('about 1.2 million recordings')
  expect(words(999_999, true)).toBe('about 1 million recordings')
})
