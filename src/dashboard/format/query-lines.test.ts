import { expect, test } from 'vitest'
import { queryLines } from './query-lines.ts'

test('puts each column and each clause of a stored query on its own line', () => {
  const query =
    "SELECT timestamp, toFloat(properties.revenue) AS revenue, concat(event, ', FROM ') AS `a, b` FROM events WHERE in(event, tuple('a', 'b'))"
  expect(queryLines(query)).toEqual([
    'SELECT',
    '  timestamp,',
    '  toFloat(properties.revenue) AS revenue,',
    "  concat(event, ', FROM ') AS `a, b`",
    'FROM events',
    "WHERE in(event, tuple('a', 'b'))",
  ])
})

test('keeps a single column on the line of its SELECT', () => {
  expect(queryLines('SELECT event FROM events')).toEqual(['SELECT event', 'FROM events'])
})

test('ignores escaped quotes inside a string', () => {
  expect(queryLines(String.raw`SELECT 'it\'s, FROM x', 'a'',b' FROM events`)).toEqual([
    'SELECT',
    String.raw`  'it\'s, FROM x',`,
    "  'a'',b'",
    'FROM events',
  ])
})

test('keeps existing lines', () => {
  expect(queryLines('SELECT event\nFROM events')).toEqual(['SELECT event', 'FROM events'])
  expect(queryLines('')).toEqual([''])
})
