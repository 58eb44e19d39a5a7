import { expect, test } from 'vitest'
import { usualInWords } from './rows-today.tsx'

test('says what the rows of the day are compared with', () => {
  const rows = { today: 1176, compared: 1176, usual: 1200, weeks: 3 }
  expect(usualInWords(rows)).toBe(
    'rows: 98 % of 1,200, the median at this weekday and time over the last 3 weeks',
  )
  expect(usualInWords({ ...rows, weeks: 1 })).toBe('rows: 98 % of 1,200, the rows at this time a week ago')
  expect(usualInWords({ ...rows, compared: 600 })).toBe(
    'rows, 600 of them from exports that also ran then: 50 % of 1,200, the median at this weekday and time over the last 3 weeks',
  )
  expect(usualInWords({ ...rows, usual: null, weeks: 0 })).toBe('rows; a comparison follows after a week')
})
