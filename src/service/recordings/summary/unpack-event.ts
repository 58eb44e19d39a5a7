import { gunzipSync } from 'node:zlib'
import { objectOf, textOf, type JsonObject } from './json-value.ts'

/** An event of rrweb in one of the session's browser windows; `timestamp` in milliseconds since the epoch. */
export type WindowEvent = { window: string; type: number; timestamp: number; data: unknown }

/** Bytes that one packed part may unfold to. */
const unpackedMax = 64 * 1024 * 1024
const packedParts = ['texts', 'attributes', 'removes', 'adds']

/** Reads a line of a block, `["<window id>", <rrweb event>]`. Null when it is damaged. */
export function readWindowEvent(line: string): WindowEvent | null {
  const [window, event] = parsed(line) ?? []
  const { type, timestamp, data } = objectOf(event)
  if (typeof window !== 'string' || typeof type !== 'number' || typeof timestamp !== 'number') return null
  return { window, type, timestamp, data }
}

/**
 * The data of an event with the parts that posthog-js packs (`cv` 2024-10: gzip bytes written as Latin-1 text) unfolded. A
 * part that is damaged is left out.
 */
export function unpackData({ data }: WindowEvent): JsonObject {
  if (typeof data === 'string') return objectOf(unfold(data))
  const object = objectOf(data)
  const parts = packedParts.filter((part) => typeof object[part] === 'string')
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

function parsed(line: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) ? value : null
  } catch {
    // As above: the rest of the block is as good as ever.
    return null
  }
}
