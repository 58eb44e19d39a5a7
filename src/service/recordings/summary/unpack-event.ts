import { gunzipSync } from 'node:zlib'
import { mutationParts, parseSnapshotLine, type RecordedEvent } from '../../../contract/rrweb.ts'
import { objectOf, textOf, type JsonObject } from './json-value.ts'

/** An event of rrweb in one of the session's browser windows. */
export type SessionEvent = Pick<RecordedEvent, 'type' | 'timestamp'> & { window: string; data: unknown }

/** Bytes that one packed part may unfold to. */
const unpackedMax = 64 * 1024 * 1024

/** Reads a line of a block, `["<window id>", <rrweb event>]`. Null when it is damaged. */
export function readSessionEvent(line: string): SessionEvent | null {
  const read = parseSnapshotLine(line)
  if (!read) return null
  const { type, timestamp, data } = read.event
  return { window: read.window, type, timestamp, data }
}

/**
 * The data of an event with the parts that posthog-js packs (`cv` 2024-10: gzip bytes written as Latin-1 text) unfolded. A
 * part that is damaged is left out.
 */
export function unpackData({ data }: SessionEvent): JsonObject {
  if (typeof data === 'string') return objectOf(unfold(data))
  const object = objectOf(data)
  const parts = mutationParts.filter((part) => typeof object[part] === 'string')
  if (parts.length === 0) return object
  return { ...object, ...Object.fromEntries(parts.map((part) => [part, unfold(textOf(object[part]))])) }
}

function unfold(text: string): unknown {
  try {
    const bytes = gunzipSync(Buffer.from(text, 'latin1'), { maxOutputLength: unpackedMax })
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // Half of a part, as a browser that was closed while sending leaves it.
    return undefined
  }
}
