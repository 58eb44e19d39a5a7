import { randomUUID } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { isObject } from '../../replay/recorded/rrweb.ts'

/** The JSON from which objects were parsed, by object, so that they need not be serialised again. */
export type Sources = ReadonlyMap<unknown, Uint8Array>

/** `isPlain`: see `readList`. */
type Snapshot = { bytes: Buffer; isPlain: boolean }

/** `depth`: levels of nesting in the deepest snapshot. */
type List = { snapshots: Snapshot[]; depth: number; end: number }

/** `outside`: the JSON with a text, the key of `lists`, in place of each list; `depth`: levels of nesting in the lists. */
type FoundLists = { lists: Map<unknown, List>; outside: string; depth: number }

/** A request with more snapshots, or more levels of nesting, is left to others. */
type Limits = { snapshotsMax: number; depthMax: number }

/** Levels of JSON around a snapshot, in a batch. */
const outerDepth = 5
/** Bytes of the longest number that JSON.stringify writes, with the colon before it. */
const numberBytesMax = 25
const key = Buffer.from('"$snapshot_data":[')
const [quote, backslash, slash, comma, newline] = [0x22, 0x5c, 0x2f, 0x2c, 0x0a]
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]
const [one, letterE, letterU] = [0x31, 0x65, 0x75]
const isMark = new Uint8Array(256)
for (const mark of [quote, comma, openObject, closeObject, openList, closeList]) isMark[mark] = 1
for (const mark of Buffer.from('eE \t\r')) isMark[mark] = 1

/**
 * Finds the lists of snapshots in a request, if there is no white space between them, as JSON.stringify writes them. Returns null
 * for any other request.
 */
export function findLists(json: Buffer, { snapshotsMax, depthMax }: Limits): FoundLists | null {
  // Each snapshot becomes a line.
  if (json.includes(newline) || !isUtf8(json)) return null
  const lists = new Map<unknown, List>()
  const outside: Buffer[] = []
  // Nobody who sends a request can know the texts in place of its lists.
  const prefix = randomUUID()
  let [end, depth] = [0, 0]
  let left = snapshotsMax
  for (let at = json.indexOf(key); at !== -1; at = json.indexOf(key, end)) {
    const before = json[at - 1]
    if (before !== comma && before !== openObject) return null
    const list = readList(json, at + key.length, { snapshotsMax: left, depthMax: depthMax - outerDepth })
    if (!list) return null
    const place = `${prefix}:${lists.size}`
    outside.push(json.subarray(end, at + key.length - 1), Buffer.from(`"${place}"`))
    lists.set(place, list)
    // Empty lists count too, because each takes memory.
    left -= Math.max(1, list.snapshots.length)
    if (left < 0) return null
    depth = Math.max(depth, outerDepth + list.depth)
    end = list.end
  }
  if (lists.size === 0) return null
  return { lists, depth, outside: Buffer.concat([...outside, json.subarray(end)]).toString('utf8') }
}

/**
 * Parses a request whose lists were found, each snapshot alone. `sources` has the JSON of the snapshots that can be stored as sent.
 * Returns null if the JSON is invalid, or has a list in another place than an item's properties.
 */
export function parseSnapshots({ lists, outside }: FoundLists) {
  try {
    const value: unknown = JSON.parse(outside)
    const sources = new Map<unknown, Uint8Array>()
    return putBack(value, lists, sources) ? { value, sources } : null
  } catch {
    return null
  }
}

/**
 * Finds the snapshots of a list whose first byte after the bracket is at `start`. A snapshot is plain if it has no white space
 * between values, no number with an exponent or too long, and no escape of a character that needs none: code that searches stored
 * lines expects the JSON that JSON.stringify writes.
 */
function readList(json: Buffer, start: number, { snapshotsMax, depthMax }: Limits): List | null {
  const snapshots: Snapshot[] = []
  let [first, previous] = [start, start]
  let [depth, deepest] = [0, 0]
  let isPlain = true
  for (let index = start; index < json.length; index += 1) {
    const byte = json[index] ?? 0
    if (isMark[byte] === 0) continue
    if (index - previous > numberBytesMax) isPlain = false
    if (byte === quote) {
      const string = endOfString(json, index)
      if (string.escapesNeedlessly) isPlain = false
      index = string.end
    } else if (byte === openObject || byte === openList) {
      if (depth === 0 && (byte === openList || index !== first)) return null
      depth += 1
      if (depth > depthMax) return null
      if (depth > deepest) deepest = depth
    } else if (byte === closeObject || byte === closeList) {
      depth -= 1
      if (depth === 0) {
        snapshots.push({ bytes: json.subarray(first, index + 1), isPlain })
        if (snapshots.length > snapshotsMax) return null
        const after = json[index + 1]
        if (after === closeList) return { snapshots, depth: deepest, end: index + 2 }
        if (after !== comma) return null
        first = index + 2
        isPlain = true
      } else if (depth < 0) {
        return index === start && byte === closeList ? { snapshots, depth: 0, end: index + 1 } : null
      }
    } else if (byte !== comma && !(byte === letterE && endsValue(json[index + 1]))) {
      isPlain = false
    }
    previous = index
  }
  return null
}

/**
 * Returns the index of the quote that closes a string, the length of the JSON or more if none does; and whether the string has an
 * escape of an ASCII character that JSON.stringify writes as it is.
 */
function endOfString(json: Buffer, start: number) {
  let escapesNeedlessly = false
  let end = start + 1
  for (; end < json.length; end += 1) {
    const byte = json[end]
    if (byte === quote) break
    if (byte !== backslash) continue
    end += 1
    const escaped = json[end]
    if (escaped === letterU) {
      // JSON.stringify escapes characters up to `\u001f` so.
      if ((json[end + 3] ?? 0) > one) escapesNeedlessly = true
      end += 4
    } else if (escaped === slash) escapesNeedlessly = true
  }
  return { end, escapesNeedlessly }
}

/** Whether an `e` before this byte ends `true` or `false`; in a number, an exponent follows. */
function endsValue(next: number | undefined): boolean {
  return next === comma || next === closeObject || next === closeList
}

/** Puts each list back in its place; returns whether each had exactly one. */
function putBack(
  value: unknown,
  lists: ReadonlyMap<unknown, List>,
  sources: Map<unknown, Uint8Array>,
): boolean {
  const left = new Map(lists)
  for (const { properties } of itemsIn(value)) {
    if (!isObject(properties)) continue
    const place = properties['$snapshot_data']
    const list = left.get(place)
    if (!list) continue
    left.delete(place)
    properties['$snapshot_data'] = list.snapshots.map(({ bytes, isPlain }) => {
      const snapshot: unknown = JSON.parse(bytes.toString('utf8'))
      if (isPlain) sources.set(snapshot, bytes)
      return snapshot
    })
  }
  return left.size === 0
}

function itemsIn(value: unknown): Record<string, unknown>[] {
  const { batch, data } = isObject(value) ? value : {}
  return [value, batch, data].flat().filter(isObject)
}
