import { getHeapStatistics } from 'node:v8'
import { constants, zstdCompressSync } from 'node:zlib'
import {
  defaultSize,
  EventType,
  isObject,
  isSize,
  mutationParts,
  pageAddress,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { markPointerFocus } from '../../../replay/pointer-focus.ts'
import { applyEvent, openPage } from '../../../replay/page.ts'
import { eventsShowing } from '../../../replay/page-changes.ts'
import type { Page } from '../../../replay/page-tree.ts'
import { objectOf, type JsonObject } from '../../snapshots/json-value.ts'
import { unpackData, type SessionEvent } from '../../snapshots/unpack-event.ts'
import type { StoredPage } from '../../store/recordings/recording-pages.ts'

/** Bytes of lines after a full snapshot or stored page before the next page is due. */
const bytesMin = 1_500_000
/** A page is stored if it replaces at least this many times its own bytes. */
const ratioMin = 2
/** Of zstd: takes ten times as long as the default level, 12 ms for a page of 750 kB, and makes half as many bytes. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 15 } }
/** Limits of what is stored of one recording: bytes of a page, and pages. */
const pageBytesMax = 8_000_000
const pagesMax = 200
/** Time (ms), and share of the thread's memory, after which no more pages are made: forged recordings need far more of both. */
const elapsedMsMax = 5000
const heapShareMax = 0.5

/** A block whose events are read; `start` is in milliseconds since the epoch. */
export type ReadBlock = { number: number; start: number; bytes: number }

/**
 * Makes pages to store from the blocks of a recording in order. It stops, and keeps what it has made, where the blocks do not
 * follow each other, where an event is damaged or cannot be applied, where it has taken too much time or memory, and where a
 * second window is used: which window is shown then depends on events that a page does not contain.
 */
export class PageMaker {
  readonly pages: StoredPage[] = []
  #hasStopped = false
  #elapsedMs = 0
  #window: string | null = null
  /** The newest event with the window's size, and the newest one with the page's address. */
  #meta: ReplayEvent | null = null
  #address: ReplayEvent | null = null
  #page: Page | null = null
  /** Bytes of lines since the last full snapshot or stored page, and those from which on a page is due. */
  #bytes = 0
  #bytesMin = bytesMin
  /** Number of the next block. */
  #next = 0
  /** Time (ms since the epoch) of the last event. */
  #end = -Infinity

  /** Reads the events of the next block, in chronological order. */
  addBlock(block: ReadBlock, events: readonly SessionEvent[]): void {
    if (this.#hasStopped) return
    const started = performance.now()
    try {
      if (block.number !== this.#next || (events[0]?.timestamp ?? 0) < this.#end)
        throw new Error('blocks do not follow each other')
      assertMemory()
      // A page is shown after all events of the blocks before it, whose times the service rounds up.
      const isDue =
        this.#bytes >= this.#bytesMin && block.start > this.#end + 1 && this.pages.length < pagesMax
      if (isDue && this.#page && this.#window !== null) this.#store(block, this.#page, this.#window)
      this.#apply(block, events, started + elapsedMsMax - this.#elapsedMs)
      this.#elapsedMs += performance.now() - started
    } catch {
      this.#hasStopped = true
      // Frees its memory.
      this.#page = null
    }
  }

  #store({ number, start }: ReadBlock, page: Page, window: string): void {
    const lines = this.#eventsOpening(page, start).map((event) => JSON.stringify([window, event]))
    const text = Buffer.from(lines.join('\n'))
    this.#bytesMin = Math.max(bytesMin, text.length * ratioMin)
    if (this.#bytes < this.#bytesMin || text.length > pageBytesMax) return
    this.pages.push({
      number,
      window_id: window,
      bytes: text.length,
      lines: zstdCompressSync(text, compression),
    })
    this.#bytes = 0
  }

  /** Returns the events that show the page, with the addresses that resolve its references. */
  #eventsOpening(page: Page, start: number): ReplayEvent[] {
    const [sized, ...others] = eventsShowing(page, start)
    if (!sized) return []
    const meta = { ...sized, data: { ...sized.data, href: this.#meta?.data['href'] ?? '' } }
    return [meta, ...(this.#address ? [{ ...this.#address, timestamp: start }] : []), ...others]
  }

  #apply({ number, bytes }: ReadBlock, recorded: readonly SessionEvent[], deadline: number): void {
    // Sets marks in the recorded data themselves, which `objectOf` does not copy.
    markPointerFocus(
      recorded.map(({ window, type, timestamp, data }) => {
        return { window, event: { type, timestamp, data: objectOf(data) } }
      }),
    )
    for (const event of recorded) {
      const { window, type, timestamp } = event
      this.#window ??= window
      if (window !== this.#window) throw new Error('a second window is used')
      const data = intactData(event)
      // Only unpacked data can be many times as large as what is stored.
      if (data !== event.data) assertMemory()
      this.#applyEvent({ type, timestamp, data })
      this.#end = timestamp
      if (performance.now() > deadline) throw new Error('making pages takes too long')
    }
    this.#bytes += bytes
    this.#next = number + 1
  }

  #applyEvent(event: ReplayEvent): void {
    const { type } = event
    if (type === EventType.Meta) {
      this.#meta = event
      this.#address = null
      // Another page may follow; until its full snapshot, it is unknown.
      this.#page = null
    } else if (type === EventType.FullSnapshot) {
      const { href, ...size } = this.#meta?.data ?? {}
      const sized = {
        ...event,
        type: EventType.Meta,
        data: isSize(size) ? size : defaultSize,
      }
      this.#page = openPage(sized, event)
      this.#bytes = 0
      this.#bytesMin = bytesMin
    } else {
      if (pageAddress(event) !== '') this.#address = event
      if (this.#page) applyEvent(this.#page, event)
    }
  }
}

/** Returns an event's data. @throws if part of it is damaged, which a player leaves out */
function intactData(event: SessionEvent): JsonObject {
  const data = unpackData(event)
  const lostPart = mutationParts.find((part) => part in objectOf(event.data) && data[part] === undefined)
  const isEmpty = typeof event.data === 'string' && Object.keys(data).length === 0
  if (lostPart || isEmpty || (event.type === EventType.FullSnapshot && !isObject(data['node'])))
    throw new Error('an event is damaged')
  return data
}

/** @throws if half of the thread's memory is used: the facts of the recording need the rest */
function assertMemory(): void {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  if (used > heapShareMax * limit) throw new Error('the pages take too much memory')
}
