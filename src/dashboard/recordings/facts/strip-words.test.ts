import { expect, test } from 'vitest'
import { stripBits as bits, stripLength } from '../../../contract/recordings/recording-facts.ts'
import { cellInWords, stripCells, stripInWords } from './strip-words.ts'

const cells = [bits.active | bits.page, 0, bits.active | bits.click | bits.error, bits.active | bits.page]

test('describes a strip by its page changes, clicks, problems and idle time', () => {
  expect(stripInWords(cells, 80_000)).toBe(
    'Over 1:20: page change at 0:00 and 1:00, click at 0:40, error at 0:40; idle for 25 %',
  )
  expect(stripInWords([bits.click, bits.click, bits.click, bits.click, bits.click, bits.click], 60_000)).toBe(
    'Over 1:00: click at 0:00, 0:10, 0:20, 0:30 and 2 more times',
  )
  expect(stripInWords([0, 0], 10_000)).toBe('Over 0:10: no activity')
})

test('describes a cell by its time and content', () => {
  expect(cellInWords(cells, 2, 80_000)).toBe('0:40 to 1:00: click, error')
  expect(cellInWords(cells, 1, 80_000)).toBe('0:20 to 0:40: idle')
})

test('a recording that is not described yet has cells from its activity', () => {
  const before = stripCells({ facts: null, activity: [0.5, 0] })
  expect(before).toHaveLength(stripLength)
  expect(before.slice(0, 24).every((cell) => cell === bits.active)).toBe(true)
  expect(before.slice(24).every((cell) => cell === 0)).toBe(true)
  expect(stripCells({ facts: null, activity: [] })).toHaveLength(stripLength)
})
