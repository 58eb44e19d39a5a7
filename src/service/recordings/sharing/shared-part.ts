import { formatInstant } from '../../../contract/instant.ts'
import type { SnapshotSources, WindowTime } from '../../../contract/recordings/snapshot.ts'
import type { BlockRow } from '../../store/recordings/recording-blocks.ts'
import type { SharingRow } from '../../store/recordings/recording-sharing.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import type { LinkLimits } from './cut-events.ts'

export type SharedBlock = Omit<BlockRow, 'recording_id' | 'items'>

/** Longest time (ms) between the event with a window's size and its full snapshot. */
const sizeMs = 10_000
/** Bytes of lines of a start's pages, which are not known before they are computed. */
const startBytes = 100_000

export function limitsOf({ start_at, end_at, shows, masks }: SharingRow): LinkLimits {
  return { start: start_at && start_at.getTime(), end: end_at && end_at.getTime(), shows, masks }
}

/** Whether the link shows the recording as it is stored. */
export function showsAll({ start, end, shows, masks }: LinkLimits): boolean {
  return start === null && end === null && shows === 'all' && masks.length === 0
}

/** Returns a recording as the link shows it: with the times of the range. */
export function sharedTimes(row: RecordingRow, link: SharingRow) {
  const start = link.start_at ?? row.start_time
  const end = link.end_at && link.end_at < row.end_time ? link.end_at : row.end_time
  return { start, end: end < start ? start : end }
}

/**
 * The part of a recording that a link shows, in blocks numbered from 0: if the range has a start, block 0 contains the pages
 * at the start; the others are those of the recording that overlap the range.
 */
export class SharedPart {
  readonly #all: readonly SharedBlock[]
  readonly #shown: readonly SharedBlock[]
  readonly #limits: LinkLimits
  readonly #hasStart: boolean

  constructor(all: readonly SharedBlock[], limits: LinkLimits) {
    const { start, end } = limits
    this.#all = all
    this.#limits = limits
    this.#hasStart = start !== null && all.some((block) => startOf(block) <= start)
    // The times of blocks are in whole milliseconds.
    this.#shown = all.filter(
      (block) => endOf(block) >= (start ?? -Infinity) && startOf(block) <= (end ?? Infinity),
    )
  }

  get count(): number {
    return this.#shown.length + (this.#hasStart ? 1 : 0)
  }

  sources(): SnapshotSources['sources'] {
    const { start } = this.#limits
    const blocks = this.#shown.map((block) => this.#cut(block))
    if (this.#hasStart && start !== null) {
      const windows = Array.from(this.#windowsAt(start), (window): WindowTime => [window, start])
      const shown = { full_snapshots: windows, active_windows: windows }
      blocks.unshift({ start, end: start, bytes: startBytes, ...shown })
    }
    return blocks.map(({ start, end, ...block }, number) => ({
      source: 'blob_v2',
      start_timestamp: formatInstant(start),
      end_timestamp: formatInstant(end),
      blob_key: String(number),
      ...block,
    }))
  }

  /** Returns the blocks to read for the shown blocks from `first` to `last`, both included. */
  reading(first: number, last: number) {
    const { start, masks } = this.#limits
    const offset = this.#hasStart ? 1 : 0
    const wanted = new Set(this.#shown.slice(Math.max(0, first - offset), Math.max(0, last - offset + 1)))
    const withStart = this.#hasStart && first === 0
    if (!withStart && masks.length === 0) return { ...read([...wanted], wanted), withStart, uses: [] }
    const from = withStart && start !== null ? start : Math.min(...[...wanted].map(startOf))
    const to = Math.max(withStart ? from : -Infinity, ...[...wanted].map(endOf))
    const since = Math.min(from, ...this.#newestSnapshots(from).values()) - sizeMs
    const blocks = this.#all.filter((block) => endOf(block) >= since && startOf(block) <= to)
    return { ...read(blocks, wanted), withStart, uses: this.#usesBefore(from) }
  }

  #cut(block: SharedBlock) {
    const { start, end } = this.#limits
    const isInside = (at: number) => at > (start ?? -Infinity) && at <= (end ?? Infinity)
    return {
      start: Math.max(startOf(block), start ?? -Infinity),
      end: Math.min(endOf(block), end ?? Infinity),
      bytes: block.bytes,
      full_snapshots: block.full_snapshots.filter(([, at]) => isInside(at)),
      // A window's last action may lie after the end; it was in use before, or is not shown at all.
      active_windows: block.active_windows
        .filter(([, at]) => at > (start ?? -Infinity))
        .map(([window, at]): WindowTime => [window, Math.min(at, end ?? Infinity)]),
    }
  }

  /** Returns the windows at a time, those that were used last at the end. */
  #windowsAt(time: number): ReadonlySet<string> {
    const windows = new Set<string>()
    for (const [window] of this.#usesBefore(time)) {
      windows.delete(window)
      windows.add(window)
    }
    return windows
  }

  /** Returns the time of each window's newest full snapshot at a time. */
  #newestSnapshots(time: number): Map<string, number> {
    const newest = new Map<string, number>()
    for (const block of this.#all) {
      if (startOf(block) > time) continue
      for (const [window, at] of block.full_snapshots)
        if (at <= time && at > (newest.get(window) ?? -Infinity)) newest.set(window, at)
    }
    return newest
  }

  /** Returns when windows were shown first or used, in chronological order. */
  #usesBefore(time: number): WindowTime[] {
    const first = new Map<string, number>()
    for (const [window, at] of this.#all.flatMap(({ full_snapshots }) => full_snapshots))
      first.set(window, Math.min(at, first.get(window) ?? Infinity))
    const used = this.#all.flatMap(({ active_windows }) => active_windows)
    return [...first, ...used].filter(([, at]) => at <= time).toSorted(([, one], [, other]) => one - other)
  }
}

function read(blocks: readonly SharedBlock[], wanted: ReadonlySet<SharedBlock>) {
  return {
    blocks: blocks.map((block) => ({ key: block.object_key, isWanted: wanted.has(block) })),
    /** Bytes of the blocks' lines. */
    bytes: blocks.reduce((sum, block) => sum + block.bytes, 0),
  }
}

function startOf({ start_time }: SharedBlock): number {
  return start_time.getTime()
}

function endOf({ end_time }: SharedBlock): number {
  return end_time.getTime()
}
