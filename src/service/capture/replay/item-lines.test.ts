import { expect, test } from 'vitest'
import { joinLines, mergeLines, splitLines } from './item-lines.ts'

const item = (...lines: [number, string][]) =>
  joinLines(
    lines.map(([timestamp, text]) => ({ timestamp, text })),
    lines.reduce((sum, [, text]) => sum + Buffer.byteLength(text) + 1, 0),
  )
const merged = (...items: ReturnType<typeof item>[]) => Buffer.from(mergeLines(items)).toString()

test.each([
  ['follow each other', [item([3, 'ü'], [1, 'a']), item([3, 'b'], [4, '🎈'])], 'a\nü\nb\n🎈'],
  ['overlap', [item([1, 'a'], [4, 'é']), item([2, 'b'], [4, 'c'])], 'a\nb\né\nc'],
  ['arrive in another order', [item([5, 'late']), item([1, 'early'])], 'early\nlate'],
])('the lines of items that %s are in order of time', (_, items, text) => {
  expect(merged(...items)).toBe(text)
})

test('lines received from a thread are split as they were', () => {
  const lines = item([2, '["w","é"]'], [1, '["w",1]'])
  const received = structuredClone(lines, { transfer: [lines.text.buffer, lines.times.buffer] })
  expect(splitLines(received)).toEqual([
    { timestamp: 1, text: '["w",1]' },
    { timestamp: 2, text: '["w","é"]' },
  ])
})
