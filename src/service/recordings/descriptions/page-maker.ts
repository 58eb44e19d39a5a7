import { zstdCompressSync } from 'node:zlib'
import { EventType, isSize, pageAddress, type ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import { markPointerFocus } from '../../../replay/pointer-focus.ts'
import { applyEvent, openPage } from '../../../replay/page.ts'
import { eventsShowing } from '../../../replay/page-changes.ts'
import type { Page } from '../../../replay/page-tree.ts'
import { unpackData, type SessionEvent } from '../../snapshots/unpack-event.ts'
import type { StoredPage } from '../../store/recordings/recording-pages.ts'

/** Bytes of lines since the last full snapshot or stored page from which on a page is stored. */
const bytesMin = 1_500_000
/** Bytes that a page replaces, at least, over its own: what else it costs to store is not worth it. */
const shareMin = 2

/** A block whose events are read; `start` is in milliseconds since the epoch. */
export type ReadBlock = { number: number; start: number; bytes: number }

/**
 * Makes pages to store from the blocks of a recording in order. It stops, and keeps what it has made, where the blocks do not
 * follow each other, where an event cannot be applied, and where a second window is used: which window is shown then depends on
 * events that a page does not contain.
 */
export class PageMaker {
  readonly pages: StoredPage[] = []
  #isOver = false
  #window: string | null = null
  /** The newest event with the window's size, and the newest one with the page's address. */
  #meta: ReplayEvent | null = null
  #address: ReplayEvent | null = null
  #page: Page | null = null
  #bytes = 0
  #bytesMin = bytesMin
  #next = 0
  #end = -Infinity

  /** Reads the events of the next block, in chronological order. */
  addBlock(block: ReadBlock, events: readonly SessionEvent[]): void {
    if (block.number !== this.#next || (events[0]?.timestamp ?? 0) < this.#end) this.#isOver = true
    if (this.#isOver) return
    try {
      // A page is shown after all events of the blocks before it, whose times the service rounds up.
      const isDue = this.#bytes >= this.#bytesMin && block.start > this.#end + 1
      if (isDue && this.#page && this.#window !== null) this.#store(block, this.#page, this.#window)
      this.#apply(block, events)
    } catch {
      this.#isOver = true
    }
  }

  #store({ number, start }: ReadBlock, page: Page, window: string): void {
    const lines = this.#eventsOpening(page, start).map((event) => JSON.stringify([window, event]))
    const text = Buffer.from(lines.join('\n'))
    this.#bytesMin = Math.max(bytesMin, text.length * shareMin)
    if (this.#bytes < this.#bytesMin) return
    this.pages.push({ number, window_id: window, bytes: text.length, lines: zstdCompressSync(text) })
    this.#bytes = 0
  }

  /** Returns the events that show the page, with the addresses that resolve its references. */
  #eventsOpening(page: Page, start: number): ReplayEvent[] {
    const [sized, ...others] = eventsShowing(page, start)
    if (!sized) return []
    const meta = { ...sized, data: { ...sized.data, href: this.#meta?.data['href'] ?? '' } }
    return [meta, ...(this.#address ? [{ ...this.#address, timestamp: start }] : []), ...others]
  }

  #apply({ number, bytes }: ReadBlock, recorded: readonly SessionEvent[]): void {
    const events = recorded.map((event) => {
      const { window, type, timestamp } = event
      return { window, event: { type, timestamp, data: unpackData(event) } }
    })
    markPointerFocus(events)
    for (const { window, event } of events) {
      this.#window ??= window
      if (window !== this.#window) {
        this.#isOver = true
        return
      }
      this.#applyEvent(event)
      this.#end = event.timestamp
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
        data: isSize(size) ? size : { width: 1280, height: 720 },
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
