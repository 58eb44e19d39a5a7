import { expect, test } from 'vitest'
import { clusterFilters } from './cluster-filters.ts'

const messageOf = (pattern: string, sample = 'the sample') =>
  clusterFilters({ pattern, sample }).console_log_filters?.map(({ value }) => value)

test('recordings with an error are found by the longest part that its messages have in common', () => {
  expect(messageOf('Coupon # rejected by <host>')).toEqual(['rejected by'])
  expect(messageOf('TypeError: x is not a function')).toEqual(['TypeError: x is not a function'])
})

test('where messages have no words in common, the sample is looked for', () => {
  expect(messageOf('# <value>', '404 "gone"')).toEqual(['404 "gone"'])
})
