import { expect, test } from 'vitest'
import { clockTime } from './clock.ts'

test('formats minutes and seconds, and hours from one hour on', () => {
  expect([0, 999, 61_000, 599_999, 3_723_000, -5].map(clockTime)).toEqual([
    '0:00',
    '0:00',
    '1:01',
    '9:59',
    '1:02:03',
    '0:00',
  ])
})
