import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { CaptureError } from './capture-error.ts'
import { endOfString } from './find-token.ts'
import { findLists, parseSnapshots, type Sources } from './parse-snapshots.ts'

/** Largest body, in bytes after decompression. */
export const bodyLimit = 20 * 1024 * 1024
/** Largest number of events in a request, replayed ones included. */
export const eventsMax = 50_000
/** Levels of nested JSON; a recording of a page with the maximum depth in browsers has 1,024. */
export const depthMax = 1200
/** Bytes of gzip data, and of what it contains, that are decompressed at once: a stream would take six times as long. */
const smallGzip = { bytesMax: 32 * 1024, contentBytesMax: 128 * 1024 }
/** Bytes at the beginning of gzip data from which the beginning of its content is read; fewer if they contain too much. */
const gzipStartBytes = [4 * 1024, 1024, 120]
/** Bytes that one byte of gzip data contains at most. */
const gzipRatioMax = 1032
/** Bytes at the end of gzip data that say how many it contains. */
const gzipSizeBytes = 4
/** Layers of form, base64 and gzip encoding around the JSON. */
const layersMax = 4

export type Body = {
  value: unknown
  /** Levels of nesting. */
  depth: number
  sources?: Sources
}

export type JsonText = {
  text: string
  /** Whether `text` is the whole JSON and not only its beginning. */
  isWhole: boolean
}

/** Bytes, and whether they are all or only the first ones. */
type Part = { bytes: Buffer; isWhole: boolean }

/**
 * Decodes the JSON in a capture request's body (or its `data` parameter).
 * @throws CaptureError 400 when there is no JSON, 413 when the body exceeds `bodyLimit` after decompression.
 */
export async function readBody(body: Uint8Array): Promise<Body> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const json = isGzip(bytes) ? inflatedWhole(bytes) : bytes
  return readSnapshots(json) ?? parseBody((await readText({ bytes: json, isWhole: true }, bodyLimit)).text)
}

/** Returns the bytes after decompression, as the end of gzip data states them; a forged body can state any possible number. */
export function statedSize(bytes: Buffer): number {
  return isGzip(bytes) && bytes.length > gzipSizeBytes
    ? Math.min(bytes.readUInt32LE(bytes.length - gzipSizeBytes), bytes.length * gzipRatioMax)
    : bytes.length
}

/**
 * Returns the beginning of a body's JSON, decompressing no more than needed. Detects the encoding from the bytes: gzip,
 * form, base64 or plain JSON, possibly nested.
 * @param body the body, or only its beginning.
 * @param bytesMax bytes of text to return at most.
 * @throws CaptureError 400 when there is no JSON, 413 when there is more than `bodyLimit`.
 */
export async function readText(body: Part, bytesMax: number): Promise<JsonText> {
  let part = body
  for (let layer = 0; layer < layersMax; layer += 1) {
    part = await decompressed(part, bytesMax)
    const { isWhole } = part
    if (!isWhole && bytesMax >= bodyLimit) throw tooLarge()
    const text = part.bytes.toString('utf8').trim()
    if (text === '' && !isWhole) return { text, isWhole }
    if (text === '') throw new CaptureError(400, 'request holds no event')
    if (isJson(text)) return { text, isWhole }
    const data = formData(isWhole ? text : text.replace(/%.?$/, '')) ?? text
    if (isJson(data)) return { text: data, isWhole }
    part = { bytes: fromBase64(isWhole ? data : data.slice(0, data.length - (data.length % 4))), isWhole }
  }
  throw unreadable('it has too many layers of encoding')
}

/** Reads a body of snapshots; null for any other. @throws CaptureError as `parseBody` */
function readSnapshots(json: Buffer): Body | null {
  const limits = { snapshotsMax: eventsMax, depthMax }
  const found = json.length <= bodyLimit ? findLists(json, limits) : null
  if (!found) return null
  const { depth, events } = shapeOf(found.outside)
  const shape = { depth: Math.max(depth, found.depth), events }
  // Before anything is parsed, which would take much memory.
  assertAllowed(shape)
  const parsed = parseSnapshots(found)
  return parsed && { ...parsed, depth: shape.depth }
}

function assertAllowed({ depth, events }: Shape): void {
  if (depth > depthMax) throw unreadable(`it is nested more than ${depthMax} levels deep`)
  if (events > eventsMax) throw tooManyEvents()
}

/** @throws CaptureError 400 when the text is not JSON, 413 when it contains too many events. */
export function parseBody(text: string): Body {
  const shape = shapeOf(text)
  assertAllowed(shape)
  try {
    return { value: JSON.parse(text), depth: shape.depth }
  } catch (cause) {
    throw unreadable('it is not valid JSON', cause)
  }
}

async function decompressed(part: Part, bytesMax: number): Promise<Part> {
  const { bytes } = part
  if (isGzip(bytes) && part.isWhole)
    return inflatedAtOnce(bytes, bytesMax) ?? (await inflated(bytes, bytesMax))
  if (isGzip(bytes)) return { bytes: inflatedStart(bytes).subarray(0, bytesMax), isWhole: false }
  return bytes.length <= bytesMax ? part : { bytes: bytes.subarray(0, bytesMax), isWhole: false }
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}

/**
 * Decompresses a whole body at once, up to `bodyLimit`. It takes up to 50 ms, so clients' bodies are decompressed in threads.
 * @throws CaptureError 400, or 413 above the limit
 */
function inflatedWhole(bytes: Buffer): Buffer {
  const chunkSize = Math.min(statedSize(bytes), bodyLimit) + 1024
  try {
    return gunzipSync(bytes, { maxOutputLength: bodyLimit, chunkSize })
  } catch (cause) {
    throw isTooLong(cause) ? tooLarge() : invalidGzip(cause)
  }
}

/** Decompresses the beginning of gzip data: 128 KB at most, because this happens before a sender is known. @throws CaptureError 400 */
function inflatedStart(bytes: Buffer): Buffer {
  for (const length of gzipStartBytes) {
    try {
      return gunzipSync(bytes.subarray(0, length), {
        finishFlush: constants.Z_SYNC_FLUSH,
        chunkSize: 32 * 1024,
        maxOutputLength: smallGzip.contentBytesMax,
      })
    } catch (cause) {
      if (!isTooLong(cause)) throw invalidGzip(cause)
    }
  }
  throw tooLarge()
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/** Decompresses few bytes; null if they are many or something is wrong with them, which the stream then reports. */
function inflatedAtOnce(bytes: Buffer, bytesMax: number): Part | null {
  if (bytes.length > smallGzip.bytesMax) return null
  const maxOutputLength = Math.min(bytesMax, smallGzip.contentBytesMax)
  try {
    return { bytes: gunzipSync(bytes, { maxOutputLength, chunkSize: 64 * 1024 }), isWhole: true }
  } catch {
    return null
  }
}

/** Decompresses the bytes; stops once there are more than `bytesMax`. */
function inflated(bytes: Buffer, bytesMax: number): Promise<Part> {
  const { promise, resolve, reject } = Promise.withResolvers<Part>()
  const chunks: Buffer[] = []
  let length = 0
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  const finish = (isWhole: boolean) => {
    gunzip.destroy()
    resolve({ bytes: Buffer.concat(chunks), isWhole })
  }
  gunzip.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > bytesMax) finish(false)
  })
  gunzip.once('end', () => finish(true))
  gunzip.once('error', (cause) => reject(invalidGzip(cause)))
  gunzip.end(bytes)
  return promise
}

function isJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[')
}

function formData(text: string): string | null {
  if (!/^(?:[\w-]+=[^&]*&)*data=/.test(text.slice(0, 1000))) return null
  return new URLSearchParams(text).get('data')
}

/** Decodes base64. An unescaped `+` has become a space in a form. */
function fromBase64(text: string): Buffer {
  const plain = text.replaceAll(' ', '+')
  if (!/^[\w+/-]+={0,2}$/.test(plain)) throw unreadable('it is neither JSON nor base64')
  return Buffer.from(plain, 'base64')
}

/** Returns how deeply JSON is nested. JSON.parse has no limit, but later steps on its values are recursive. */
export function depthOf(text: string): number {
  return shapeOf(text).depth
}

type Shape = { depth: number; events: number }

/** Returns the depth of JSON, and the number of objects in its list or in a list of its object. */
function shapeOf(text: string): Shape {
  let depth = 0
  let deepest = 0
  let events = 0
  let eventDepth = 2
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) {
      index = endOfString(text, index)
      if (index === -1) break
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > deepest) deepest = depth
      if (depth === 1) eventDepth = code === 0x5b ? 2 : 0
      else if (depth === 2 && eventDepth !== 2) eventDepth = code === 0x5b ? 3 : 0
      if (depth === eventDepth && code === 0x7b) events += 1
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return { depth: deepest, events }
}

export function tooManyEvents(): CaptureError {
  return new CaptureError(413, `request contains more than ${eventsMax.toLocaleString('en')} events`)
}

export function tooLarge(): CaptureError {
  return new CaptureError(413, `request is larger than ${bodyLimit / 1024 / 1024} MB`)
}

function invalidGzip(cause: unknown): CaptureError {
  return new CaptureError(400, 'failed to decode request: invalid gzip data', { cause })
}

function unreadable(reason: string, cause?: unknown): CaptureError {
  return new CaptureError(400, `failed to parse request: ${reason}`, { cause })
}
