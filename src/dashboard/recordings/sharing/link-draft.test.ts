import { expect, test } from 'vitest'
import { clockTime } from '../../format/clock.ts'
import { readClock } from './link-draft.ts'

test.each([
  ['16', 16],
  ['0:16', 16],
  [' 4:31 ', 271],
  ['1:02:03', 3723],
  ['', null],
  ['1:60', null],
  ['1:2:3:4', null],
  ['-1', null],
  ['half', null],
])('%j is second %j', (text, seconds) => {
  expect(readClock(text)).toBe(seconds)
})

test('reads every position that the player shows', () => {
  for (const seconds of [0, 9, 59, 60, 3599, 3600, 86_400])
    expect(readClock(clockTime(seconds * 1000))).toBe(seconds)
})
