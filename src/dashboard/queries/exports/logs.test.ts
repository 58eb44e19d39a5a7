import { expect, test } from 'vitest'
import { joinLines } from './logs.ts'

/** Returns a page of lines logged at these seconds, newest first; the message defaults to the second. */
function page(...seconds: (number | [number, string])[]) {
  const results = seconds.map((line) => {
    const [second, message] = typeof line === 'number' ? [line, `${line}`] : line
    return {
      log_source_id: 'export',
      instance_id: 'run',
      timestamp: `2026-11-21T08:00:${String(second).padStart(2, '0')}Z`,
      level: 'INFO' as const,
      message,
    }
  })
  return { results, next: null, count: results.length }
}

const messages = (...input: Parameters<typeof joinLines>) =>
  joinLines(...input)?.lines.map(({ message }) => message)

test('puts new lines before the known ones, without duplicates', () => {
  const known = { pages: [page(5, 4), page(3, 2)], pageParams: [] }
  expect(messages(known, page(7, 6, 5))).toEqual(['7', '6', '5', '4', '3', '2'])
})

test('keeps a new line with the same timestamp as the newest known one', () => {
  const known = { pages: [page([5, 'a'])], pageParams: [] }
  expect(messages(known, page([5, 'b'], [5, 'a']))).toEqual(['b', 'a'])
})

test('counts new lines that the response leaves out', () => {
  const known = { pages: [page(1)], pageParams: [] }
  expect(joinLines(known, { ...page(9, 8), count: 40 })?.left).toBe(38)
})

test('returns nothing before the first page is read', () => {
  expect(joinLines(undefined, page(1))).toBeUndefined()
})
