import type { RecordedEvent } from '../../../replay/recorded/rrweb.ts'
import { CaptureError } from '../capture-error.ts'
import type { Sources } from '../parse-snapshots.ts'

/** Events of an item, as stored and served: lines `["<window id>", <rrweb event>]`, joined by newlines, as UTF-8. */
export type ItemLines = {
  /** In a buffer of its own, so that a thread can hand it over without a copy. */
  text: Uint8Array<ArrayBuffer>
  /** Times of the events, in milliseconds since the epoch. */
  times: readonly number[]
}

const encoder = new TextEncoder()
const separator = Buffer.from('\n')
const closing = Buffer.from(']')

/** Returns the lines of events, in the same order. @throws CaptureError 413 beyond `sizeMax` bytes */
export function linesOf(
  events: readonly RecordedEvent[],
  windowId: string,
  sizeMax: number,
  sources: Sources = new Map(),
): ItemLines {
  const start = encoder.encode(`[${JSON.stringify(windowId)},`)
  const texts: Uint8Array[] = []
  let size = -1
  for (const event of events) {
    const text = sources.get(event) ?? encoder.encode(JSON.stringify(event))
    // Numbers can grow when serialised: 1e20 becomes 21 digits.
    size += start.length + text.length + 2
    if (size > sizeMax) throw new CaptureError(413, 'request contains too much replay data')
    texts.push(text)
  }
  const text = new Uint8Array(Math.max(size, 0))
  let end = 0
  const add = (bytes: Uint8Array) => {
    text.set(bytes, end)
    end += bytes.length
  }
  for (const each of texts) {
    if (end > 0) add(separator)
    add(start)
    add(each)
    add(closing)
  }
  return { text, times: events.map(({ timestamp }) => timestamp) }
}

/** Returns the bytes that lines take up in a block. */
export function sizeOf({ text, times }: ItemLines): number {
  return times.length === 0 ? 0 : text.length + 1
}

/** Returns the text of each line. */
export function textsOf({ text, times }: ItemLines): string[] {
  if (times.length === 0) return []
  return Buffer.from(text.buffer, text.byteOffset, text.length).toString('utf8').split('\n')
}

/** Returns the lines of items in order of time; lines of the same time stay in the order of the items. */
export function joinInOrder(items: readonly ItemLines[]): Uint8Array {
  const times = items.flatMap((item) => item.times)
  const isInOrder = times.every((time, index) => time >= (times[index - 1] ?? time))
  const [first, ...others] = items.map(({ text }) => text)
  if (isInOrder && first && others.length === 0) return first
  if (isInOrder && first) return Buffer.concat([first, ...others.flatMap((text) => [separator, text])])
  const lines = items.flatMap(textsOf).map((text, index) => ({ text, time: times[index] ?? 0 }))
  return encoder.encode(
    lines
      .toSorted((one, other) => one.time - other.time)
      .map(({ text }) => text)
      .join('\n'),
  )
}
