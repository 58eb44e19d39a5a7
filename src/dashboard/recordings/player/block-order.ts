import { blobKeysMax, pageNumber } from '../../../contract/recordings/recording-rules.ts'
import type { SnapshotSources, WindowTime } from '../../../contract/recordings/snapshot.ts'

/** A block of a recording, or a stored page, which contains a full snapshot alone; times are milliseconds since the epoch. */
export type Block = {
  /** Negative for a page: see `pageNumber`. */
  number: number
  start: number
  end: number
  bytes: number
  fullSnapshots: readonly WindowTime[]
  /** Windows that the visitor used, with the time of the last action. */
  activeWindows: readonly WindowTime[]
}

/** Blocks requested together, both ends included. */
export type BlockRange = { from: number; to: number }

/** Bytes of lines in one request; more would delay a seek, which waits for the request before it. */
const rangeBytesMax = 3_000_000

/** Returns the blocks, each after the page at its start if one is stored. */
export function blocksOf({ sources }: SnapshotSources): Block[] {
  return sources.flatMap((source) => {
    const start = Date.parse(source.start_timestamp)
    const block: Block = {
      number: Number(source.blob_key),
      start,
      // The service truncates times to milliseconds.
      end: Date.parse(source.end_timestamp) + 1,
      bytes: source.bytes,
      fullSnapshots: source.full_snapshots,
      activeWindows: source.active_windows,
    }
    if (!source.page) return block
    const { window_id, bytes } = source.page
    const number = pageNumber(block.number)
    return [
      { ...block, number, end: start, bytes, fullSnapshots: [[window_id, start]], activeWindows: [] },
      block,
    ]
  })
}

export function isPage(number: number): boolean {
  return number < 0
}

/**
 * Returns the blocks that are needed to show a time: from the newest full snapshot of the window in use up to the time. Pages
 * that are not in `loaded` are only needed if the time cannot be shown without them.
 */
export function blocksShowing(
  blocks: readonly Block[],
  time: number,
  loaded: ReadonlySet<number>,
): readonly Block[] {
  const known = blocks.filter(({ number }) => !isPage(number) || loaded.has(number))
  const needed = blocksSinceSnapshot(known, time)
  return needed.every(({ number }) => loaded.has(number)) ? needed : blocksSinceSnapshot(blocks, time)
}

function blocksSinceSnapshot(blocks: readonly Block[], time: number): Block[] {
  const before = blocks.filter(({ start }) => start <= time)
  const windows = windowsAt(before, time)
  const starts = new Map<string, number>()
  for (const { fullSnapshots } of before)
    for (const [window, at] of fullSnapshots)
      if (at <= time && at > (starts.get(window) ?? -Infinity)) starts.set(window, at)
  const from = Math.min(...[...windows].map((window) => starts.get(window) ?? Infinity))
  return before.filter(({ end }) => from === Infinity || end >= from)
}

/** Returns the windows that may be in use at a time. */
function windowsAt(before: readonly Block[], time: number): Set<string> {
  const windows = new Set<string>()
  const shown = new Set<string>()
  let newest: WindowTime | undefined
  const use = (entry: WindowTime) => {
    if (entry[1] > time) windows.add(entry[0])
    else if (!newest || entry[1] >= newest[1]) newest = entry
  }
  for (const { fullSnapshots, activeWindows } of before.toSorted((one, other) => one.start - other.start)) {
    for (const entry of activeWindows) use(entry)
    // A window is shown at its first full snapshot, and afterwards when it is used.
    for (const entry of fullSnapshots) {
      if (entry[1] <= time && !shown.has(entry[0])) use(entry)
      shown.add(entry[0])
    }
  }
  if (newest) windows.add(newest[0])
  return windows
}

/** Whether all blocks of a recording are loaded, or only those that show the player's position. */
export type Extent = 'all' | 'shown'

/**
 * Returns the blocks to request next, given the numbers of those already requested: first the blocks that show a time, then
 * those nearest to it.
 */
export function nextBlocks(
  blocks: readonly Block[],
  requested: ReadonlySet<number>,
  time: number,
  extent: Extent = 'all',
): BlockRange | null {
  const isMissing = ({ number }: Block) => !requested.has(number)
  const needed = blocksShowing(blocks, time, requested).filter(isMissing)
  if (needed.length > 0 || extent === 'shown') return rangeFrom(needed, 1)
  const missing = blocks.filter((block) => isMissing(block) && !isPage(block.number))
  const nearest = missing.toSorted((one, other) => distance(one, time) - distance(other, time))[0]
  if (!nearest) return null
  const isLater = nearest.start > time
  const rest = missing.filter(({ number }) => (isLater ? number >= nearest.number : number <= nearest.number))
  return isLater ? rangeFrom(rest, 1) : rangeFrom(rest.toReversed(), -1)
}

/** Whether a time needs blocks that have not been requested, while others are loading. */
export function needsOthers(
  blocks: readonly Block[],
  requested: ReadonlySet<number>,
  loading: BlockRange,
  time: number,
): boolean {
  const needed = blocksShowing(blocks, time, requested).filter(({ number }) => !requested.has(number))
  return needed.length > 0 && needed.every(({ number }) => number < loading.from || number > loading.to)
}

function distance({ start, end }: Block, time: number): number {
  return Math.max(start - time, time - end)
}

/** Returns the range that starts with the first of these blocks and continues as far as their numbers and sizes allow. */
function rangeFrom([first, ...others]: readonly Block[], step: 1 | -1): BlockRange | null {
  if (!first) return null
  let [last, bytes] = [first.number, first.bytes]
  for (const { number, bytes: more } of others) {
    if (number !== last + step || Math.abs(number - first.number) >= blobKeysMax) break
    bytes += more
    if (bytes > rangeBytesMax) break
    last = number
  }
  return { from: Math.min(first.number, last), to: Math.max(first.number, last) }
}
