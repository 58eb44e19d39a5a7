import { expect, test } from 'vitest'
import { queryLines } from './query-lines.ts'

test('each column of a stored query gets a line, and so do its clauses', () => {
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

test('a query of one column stays short', () => {
  expect(queryLines('SELECT event FROM events')).toEqual(['SELECT event', 'FROM events'])
})

test('quotes that are escaped in a text do not end it', () => {
  expect(queryLines(String.raw`SELECT 'it\'s, FROM x', 'a'',b' FROM events`)).toEqual([
    'SELECT',
    String.raw`  'it\'s, FROM x',`,
    "  'a'',b'",
    'FROM events',
  ])
})

test('lines that are there already are kept', () => {
  expect(queryLines('SELECT event\nFROM events')).toEqual(['SELECT event', 'FROM events'])
  expect(queryLines('')).toEqual([''])
})
