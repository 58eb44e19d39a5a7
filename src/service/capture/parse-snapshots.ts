import { isUtf8 } from 'node:buffer'
import { isObject } from '../../replay/recorded/rrweb.ts'

/** The JSON from which objects were parsed, by object, so that they need not be serialised again. */
export type Sources = ReadonlyMap<unknown, Uint8Array>

/** `depth`: levels of nesting in the deepest snapshot. */
type List = { snapshots: Buffer[]; depth: number; end: number }

/** Levels of JSON around a snapshot, in a batch. */
const outerDepth = 5
const key = Buffer.from('"$snapshot_data":[')
const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a]
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]
const isMark = new Uint8Array(256)
for (const mark of [quote, openObject, closeObject, openList, closeList]) isMark[mark] = 1

/**
 * Parses a request with lists of snapshots, without white space around them, as JSON.stringify writes them; each snapshot is
 * parsed alone. Returns null for any other request, also an invalid one. `outside` is the JSON with the index of each list in its
 * place; `depth` counts levels of nesting; `sources` has the JSON of each snapshot.
 * @param snapshotsMax number of snapshots in the request beyond which it returns null.
 */
export function parseSnapshots(json: Buffer, snapshotsMax: number) {
  // Each snapshot becomes a line.
  if (json.includes(newline) || !isUtf8(json)) return null
  const lists: List[] = []
  const outside: Buffer[] = []
  let end = 0
  let left = snapshotsMax
  for (let at = json.indexOf(key); at !== -1; at = json.indexOf(key, end)) {
    const before = json[at - 1]
    const list = before === comma || before === openObject ? readList(json, at + key.length, left) : null
    if (!list) return null
    outside.push(json.subarray(end, at + key.length - 1), Buffer.from(String(lists.length)))
    lists.push(list)
    left -= list.snapshots.length
    end = list.end
  }
  if (lists.length === 0) return null
  try {
    // The number of each list stands in its place.
    const text = Buffer.concat([...outside, json.subarray(end)]).toString('utf8')
    const value: unknown = JSON.parse(text)
    const sources = new Map<unknown, Uint8Array>()
    if (!putBack(value, lists, sources)) return null
    return { value, sources, outside: text, depth: outerDepth + Math.max(...lists.map(({ depth }) => depth)) }
  } catch {
    return null
  }
}

/** Finds the snapshots of a list whose first byte after the bracket is at `start`. */
function readList(json: Buffer, start: number, snapshotsMax: number): List | null {
  const snapshots: Buffer[] = []
  let first = start
  let [depth, deepest] = [0, 0]
  for (let index = start; index < json.length; index += 1) {
    const byte = json[index] ?? 0
    if (isMark[byte] === 0) continue
    if (byte === quote) {
      index = endOfString(json, index)
    } else if (byte === openObject || byte === openList) {
      if (depth === 0 && (byte === openList || index !== first)) return null
      depth += 1
      if (depth > deepest) deepest = depth
    } else {
      depth -= 1
      if (depth === 0) {
        snapshots.push(json.subarray(first, index + 1))
        if (snapshots.length > snapshotsMax) return null
        const after = json[index + 1]
        if (after === closeList) return { snapshots, depth: deepest, end: index + 2 }
        if (after !== comma) return null
        first = index + 2
      } else if (depth < 0) {
        return index === start && byte === closeList ? { snapshots, depth: 0, end: index + 1 } : null
      }
    }
  }
  return null
}

/** Returns the index of the quote that closes a string; the length of the JSON if none does. */
function endOfString(json: Buffer, start: number): number {
  for (let index = start + 1; index < json.length; index += 1) {
    const byte = json[index]
    if (byte === backslash) index += 1
    else if (byte === quote) return index
  }
  return json.length
}

/** Replaces the number of each list by the list; returns whether each list had exactly one place. */
function putBack(value: unknown, lists: readonly List[], sources: Map<unknown, Uint8Array>): boolean {
  const left = new Map(lists.entries())
  for (const { properties } of itemsIn(value)) {
    if (!isObject(properties) || typeof properties['$snapshot_data'] !== 'number') continue
    const list = left.get(properties['$snapshot_data'])
    if (!list) return false
    left.delete(properties['$snapshot_data'])
    properties['$snapshot_data'] = list.snapshots.map((bytes) => {
      const snapshot: unknown = JSON.parse(bytes.toString('utf8'))
      sources.set(snapshot, bytes)
      return snapshot
    })
  }
  return left.size === 0
}

function itemsIn(value: unknown): Record<string, unknown>[] {
  const { batch, data } = isObject(value) ? value : {}
  return [value, batch, data].flat().filter(isObject)
}
