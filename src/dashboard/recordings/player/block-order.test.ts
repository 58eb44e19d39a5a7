import { expect, test } from 'vitest'
import type { WindowTime } from '../../../contract/recordings/snapshot.ts'
import { blocksShowing, needsOthers, nextBlocks, type Block } from './block-order.ts'

const second = 1000

/** Blocks of ten seconds each. A full snapshot of window `a` starts every sixth block. */
function hour(of: (number: number) => Partial<Block> = () => ({})): Block[] {
  return Array.from({ length: 360 }, (_, number) => {
    const start = number * 10 * second
    const fullSnapshots: WindowTime[] = number % 6 === 0 ? [['a', start]] : []
    const end = start + 9.9 * second
    const activeWindows: WindowTime[] = [['a', end]]
    return { number, start, end, bytes: 100_000, fullSnapshots, activeWindows, ...of(number) }
  })
}

function numbers(blocks: readonly Block[]): number[] {
  return blocks.map(({ number }) => number)
}

const none = new Set<number>()

test('a time needs the blocks since the newest full snapshot of its window', () => {
  expect(numbers(blocksShowing(hour(), 3_400 * second))).toEqual([336, 337, 338, 339, 340])
  expect(numbers(blocksShowing(hour(), 0))).toEqual([0])
})

test('a time needs the window in use, whose full snapshot can be older than that of another window', () => {
  const blocks = hour((number) => {
    const fullSnapshots: WindowTime[] = number === 0 ? [['a', 0]] : number === 3 ? [['b', 31 * second]] : []
    return { fullSnapshots, activeWindows: [[number === 3 ? 'b' : 'a', number * 10 * second + 5 * second]] }
  })
  expect(numbers(blocksShowing(blocks, 36 * second))).toEqual([3])
  expect(numbers(blocksShowing(blocks, 46 * second))).toEqual([0, 1, 2, 3, 4])
})

test('a time without a full snapshot before it needs all blocks before it', () => {
  const blocks = hour(() => ({ fullSnapshots: [] }))
  expect(numbers(blocksShowing(blocks, 25 * second))).toEqual([0, 1, 2])
})

test('loads what a time needs first, then what is nearest to it, until all blocks are requested', () => {
  const blocks = hour()
  const requested = new Set<number>()
  const ranges: string[] = []
  for (
    let range = nextBlocks(blocks, requested, 3_400 * second);
    range;
    range = nextBlocks(blocks, requested, 3_400 * second)
  ) {
    ranges.push(`${range.from}–${range.to}`)
    for (let number = range.from; number <= range.to; number += 1) {
      expect(requested.has(number)).toBe(false)
      requested.add(number)
    }
  }
  expect(ranges.slice(0, 3)).toEqual(['336–340', '341–359', '316–335'])
  expect(requested.size).toBe(360)
})

test('a request is given up for a seek to a time that needs other blocks, and for nothing else', () => {
  const requested = new Set([336, 337, 338, 339, 340])
  const loading = { from: 341, to: 359 }
  expect(needsOthers(hour(), requested, loading, 3_400 * second)).toBe(false)
  expect(needsOthers(hour(), requested, loading, 3_450 * second)).toBe(false)
  expect(needsOthers(hour(), requested, loading, 100 * second)).toBe(true)
})

test('a request contains at most 20 blocks and about 3 MB', () => {
  expect(
    nextBlocks(
      hour(() => ({ fullSnapshots: [] })),
      none,
      3_400 * second,
    ),
  ).toEqual({ from: 0, to: 19 })
  expect(
    nextBlocks(
      hour(() => ({ fullSnapshots: [], bytes: 1_000_000 })),
      none,
      3_400 * second,
    ),
  ).toEqual({ from: 0, to: 2 })
  expect(
    nextBlocks(
      hour(() => ({ bytes: 10_000_000 })),
      none,
      0,
    ),
  ).toEqual({ from: 0, to: 0 })
})
