import { expect, test } from 'vitest'
import type { WindowTime } from '../../../contract/recordings/snapshot.ts'
import { pageNumber } from '../../../contract/recordings/recording-rules.ts'
import { blocksOf, blocksShowing, needsOthers, nextBlocks, type Block } from './block-order.ts'

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
  expect(numbers(blocksShowing(hour(), 3_400 * second, none))).toEqual([336, 337, 338, 339, 340])
  expect(numbers(blocksShowing(hour(), 0, none))).toEqual([0])
})

test('a time needs the window in use, whose full snapshot can be older than that of another window', () => {
  const blocks = hour((number) => {
    const fullSnapshots: WindowTime[] = number === 0 ? [['a', 0]] : number === 3 ? [['b', 31 * second]] : []
    return { fullSnapshots, activeWindows: [[number === 3 ? 'b' : 'a', number * 10 * second + 5 * second]] }
  })
  expect(numbers(blocksShowing(blocks, 36 * second, none))).toEqual([3])
  expect(numbers(blocksShowing(blocks, 46 * second, none))).toEqual([0, 1, 2, 3, 4])
})

test('a time without a full snapshot before it needs all blocks before it', () => {
  const blocks = hour(() => ({ fullSnapshots: [] }))
  expect(numbers(blocksShowing(blocks, 25 * second, none))).toEqual([0, 1, 2])
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

/** Returns the blocks of an hour whose only full snapshot is the first event, with a page before every tenth block. */
function hourWithPages(): Block[] {
  const blocks = hour((number) => (number === 0 ? {} : { fullSnapshots: [] }))
  const pages = blocks
    .filter(({ number }) => number > 0 && number % 10 === 0)
    .map(({ number, start }): Block => {
      const fullSnapshots: WindowTime[] = [['a', start]]
      return {
        number: pageNumber(number),
        start,
        end: start,
        bytes: 100_000,
        fullSnapshots,
        activeWindows: [],
      }
    })
  return [...pages, ...blocks].toSorted((one, other) => one.start - other.start)
}

test('a time needs the newest stored page instead of the blocks before it', () => {
  const blocks = hourWithPages()
  expect(numbers(blocksShowing(blocks, 3_425 * second, none))).toEqual([pageNumber(340), 340, 341, 342])
  expect(numbers(blocksShowing(blocks, 55 * second, none))).toEqual([0, 1, 2, 3, 4, 5])
})

test('a time needs no page if it is shown by loaded blocks, or by an earlier page', () => {
  const blocks = hourWithPages()
  const first = new Set(Array.from({ length: 26 }, (_, number) => number))
  expect(numbers(blocksShowing(blocks, 255 * second, first))).toEqual([...first])
  const later = new Set([pageNumber(10), ...Array.from({ length: 16 }, (_, index) => 10 + index)])
  expect(numbers(blocksShowing(blocks, 255 * second, later))).toEqual([...later])
  later.delete(17)
  expect(numbers(blocksShowing(blocks, 255 * second, later))).toEqual([
    pageNumber(20),
    20,
    21,
    22,
    23,
    24,
    25,
  ])
})

test('a page is requested alone and before its blocks, and pages that no time needs are not requested', () => {
  const blocks = hourWithPages()
  const requested = new Set<number>()
  const ranges: string[] = []
  for (
    let range = nextBlocks(blocks, requested, 3_425 * second);
    range;
    range = nextBlocks(blocks, requested, 3_425 * second)
  ) {
    ranges.push(`${range.from}–${range.to}`)
    for (let number = range.from; number <= range.to; number += 1) requested.add(number)
  }
  expect(ranges.slice(0, 3)).toEqual([`${pageNumber(340)}–${pageNumber(340)}`, '340–342', '343–359'])
  expect([...requested].filter((number) => number < 0)).toEqual([pageNumber(340)])
  expect(requested.size).toBe(361)
})

test('a stored page comes before its block, at whose start it is', () => {
  const times = { start_timestamp: '2026-03-04T10:00:03Z', end_timestamp: '2026-03-04T10:00:03.500000Z' }
  const source = { source: 'blob_v2' as const, ...times, bytes: 1, full_snapshots: [], active_windows: [] }
  const blocks = blocksOf({ sources: [{ ...source, blob_key: '3', page: { window_id: 'a', bytes: 2 } }] })
  const start = Date.parse('2026-03-04T10:00:03Z')
  expect(blocks).toMatchObject([
    { number: pageNumber(3), start, end: start, bytes: 2, fullSnapshots: [['a', start]] },
    { number: 3, start, bytes: 1 },
  ])
})
