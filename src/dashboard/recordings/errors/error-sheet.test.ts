import { expect, test } from 'vitest'
import { errorFilters } from './error-sheet.tsx'

const messageOf = (pattern: string, sample = 'the sample') =>
  errorFilters({ pattern, sample }).console_log_filters?.map(({ value }) => value)

test('searches for the longest text that all messages of an error share', () => {
  expect(messageOf('Coupon … rejected by <host>')).toEqual(['rejected by'])
  expect(messageOf('TypeError: x is not a function')).toEqual(['TypeError: x is not a function'])
})

test('searches for the sample when the messages share no text', () => {
  expect(messageOf('… <value>', '404 "gone"')).toEqual(['404 "gone"'])
})
