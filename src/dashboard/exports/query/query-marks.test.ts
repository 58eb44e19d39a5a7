import { expect, test } from 'vitest'
import { markedLines, placeInWords, rangeToMark } from './query-marks.ts'

function at(query: string, offset: number) {
  const lines = query.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1, offset }
}

function marked(query: string, offset: number): string {
  const { start, end } = rangeToMark(query, at(query, offset))
  return query.slice(start, end)
}

test('marks the word at the position, and a path as a whole', () => {
  expect(marked('SELECT event, fooo FROM events', 14)).toBe('fooo')
  expect(marked('SELECT properties.$os FORM events', 7)).toBe('properties.$os')
  expect(marked('SELECT event,, uuid', 13)).toBe(',')
})

test('skips white space before the word', () => {
  expect(marked('SELECT   fooo', 6)).toBe('fooo')
})

test('marks the last word where the query ends too early', () => {
  expect(marked('SELECT event\nFROM events WHERE', 30)).toBe('WHERE')
  expect(marked('SELECT event FROM events WHERE (\n\n', 33)).toBe('(')
  expect(marked('', 0)).toBe('')
})

test('marks a character outside the basic plane as a whole', () => {
  expect(marked('SELECT 🙂', 7)).toBe('🙂')
})

test('marks only the line of the range', () => {
  expect(markedLines('SELECT event\nFORM events', { start: 13, end: 17 })).toEqual([
    { before: 'SELECT event', marked: '', after: '' },
    { before: '', marked: 'FORM', after: ' events' },
  ])
  expect(markedLines('a\nb', null).map(({ marked }) => marked)).toEqual(['', ''])
})

test('describes a position by line, column and the text there', () => {
  const query = 'SELECT event\nFORM events'
  expect(placeInWords(query, at(query, 13))).toBe('Line 2, column 1, at “FORM”')
  expect(placeInWords('SELECT', at('SELECT', 6))).toBe('Line 1, column 7, after “SELECT”')
})
