import { expect, test } from 'vitest'
import { gapInWords } from './gap-words.ts'

test.each([
  ['beginning', 0, 12_300, 'The first 12 s is missing.'],
  ['beginning', 0, 240_000, 'The first 4 min is missing.'],
  ['window', 40_000, 41_100, 'The first 1 s of window 2 is missing.'],
  ['page', 40_000, 52_000, 'The page that opened at 0:40 is missing until 0:52.'],
  ['changes', 40_000, 83_000, 'Changes of the page are missing: it may have looked different until 1:23.'],
  ['paused', 0, 119_000, 'The site paused the recording for 119 s.'],
  ['data', 30_000, 60_000, '30 s of data is missing: it was deleted or damaged.'],
  ['silence', 30_000, 60_000, 'Nothing was recorded for 30 s, although the visitor was active.'],
  [
    'picture',
    0,
    1_000,
    'The recording shows no page: it contains only console messages, requests or addresses.',
  ],
] as const)('names a gap of the kind %s from %i to %i', (kind, from, to, sentence) => {
  expect(gapInWords({ kind, window: 2, from, to })).toBe(sentence)
})
