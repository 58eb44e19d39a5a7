import { gunzipSync } from 'node:zlib'
import { mutationParts, parseSnapshotLine, type RecordedEvent } from '../../replay/recorded/rrweb.ts'
import { objectOf, textOf, type JsonObject } from './json-value.ts'

/** An rrweb event of one of the session's browser windows. */
export type SessionEvent = Pick<RecordedEvent, 'type' | 'timestamp'> & { window: string; data: unknown }

/** Bytes of one compressed part after decompression. */
const unpackedBytesMax = 64 * 1024 * 1024

/** Arrays and objects in one compressed part: a forged part of 64 MB could otherwise take 60 times as much memory. */
const containersMax = 3_000_000

/** Reads a line of a block, `["<window id>", <rrweb event>]`; returns null when it is damaged. */
export function readSessionEvent(line: string): SessionEvent | null {
  const read = parseSnapshotLine(line)
  if (!read) return null
  const { type, timestamp, data } = read.event
  return { window: read.window, type, timestamp, data }
}

/**
 * Returns an event's data with compressed parts decompressed (`cv` 2024-10: gzip bytes written as Latin-1 text). Omits
 * damaged parts.
 */
export function unpackData({ data }: SessionEvent): JsonObject {
  if (typeof data === 'string') return objectOf(unpack(data))
  const object = objectOf(data)
  const parts = mutationParts.filter((part) => typeof object[part] === 'string')
  if (parts.length === 0) return object
  return { ...object, ...Object.fromEntries(parts.map((part) => [part, unpack(textOf(object[part]))])) }
}

function unpack(text: string): unknown {
  try {
    const bytes = gunzipSync(Buffer.from(text, 'latin1'), { maxOutputLength: unpackedBytesMax })
    // Few bytes cannot contain too many, so that usual parts are not counted.
    if (bytes.length > containersMax && containersIn(bytes) > containersMax) return undefined
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // A browser that is closed while sending leaves a truncated part.
    return undefined
  }
}

function containersIn(json: Buffer): number {
  let count = 0
  for (const byte of json) if (byte === 0x5b || byte === 0x7b) count += 1
  return count
}
