import { expect, test } from 'vitest'
import { clockTime } from './clock.ts'

test('a place in a recording is told in minutes and seconds, from an hour on with hours', () => {
  expect([0, 999, 61_000, 599_999, 3_723_000, -5].map(clockTime)).toEqual([
    '0:00',
    '0:00',
    '1:01',
    '9:59',
    '1:02:03',
    '0:00',
  ])
})
