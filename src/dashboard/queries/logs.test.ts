import { expect, test } from 'vitest'
import { joinLines } from './logs.ts'

/** Lines of these seconds, the newest first; the second is the message too unless another is given. */
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

test('new lines stand before those that were known, each once', () => {
  const known = { pages: [page(5, 4), page(3, 2)], pageParams: [] }
  expect(messages(known, page(7, 6, 5))).toEqual(['7', '6', '5', '4', '3', '2'])
})

test('a new line of the same moment as the newest known one is not lost', () => {
  const known = { pages: [page([5, 'a'])], pageParams: [] }
  expect(messages(known, page([5, 'b'], [5, 'a']))).toEqual(['b', 'a'])
})

test('new lines that were not handed out are counted', () => {
  const known = { pages: [page(1)], pageParams: [] }
  expect(joinLines(known, { ...page(9, 8), count: 40 })?.left).toBe(38)
})

test('nothing is known before the first answer', () => {
  expect(joinLines(undefined, page(1))).toBeUndefined()
})
