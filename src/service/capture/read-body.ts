import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { CaptureError } from './capture-error.ts'

/** Largest body, in bytes after decompression. */
export const bodyLimit = 20 * 1024 * 1024
/** Levels of nested JSON; a recording of a page with the maximum depth in browsers has 1,024. */
const depthMax = 1200
/** Layers of form, base64 and gzip encoding around the JSON. */
const layersMax = 4
const inflate = promisify(gunzip)

export type Body = {
  value: unknown
  /** Levels of nesting. */
  depth: number
}

/**
 * Decodes the JSON in a capture request's body (or its `data` parameter). Detects the encoding from the bytes: gzip, form,
 * base64 or plain JSON, possibly nested.
 * @throws CaptureError 400 when there is no JSON, 413 when the body exceeds `bodyLimit` after decompression.
 */
export async function readBody(body: Uint8Array): Promise<Body> {
  let bytes: Buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  for (let layer = 0; layer < layersMax; layer += 1) {
    bytes = await inflated(bytes)
    if (bytes.length > bodyLimit) throw tooLarge()
    const text = bytes.toString('utf8').trim()
    if (text === '') throw new CaptureError(400, 'request holds no event')
    if (isJson(text)) return parse(text)
    const data = formData(text) ?? text
    if (isJson(data)) return parse(data)
    bytes = fromBase64(data)
  }
  throw unreadable('it has too many layers of encoding')
}

async function inflated(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return bytes
  try {
    return await inflate(bytes, { maxOutputLength: bodyLimit })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new CaptureError(400, 'failed to decode request: invalid gzip data', { cause })
  }
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

function parse(text: string): Body {
  const depth = depthOf(text)
  if (depth > depthMax) throw unreadable(`it is nested more than ${depthMax} levels deep`)
  try {
    return { value: JSON.parse(text), depth }
  } catch (cause) {
    throw unreadable('it is not valid JSON', cause)
  }
}

/** Returns how deeply JSON is nested. JSON.parse has no limit, but later steps on its values are recursive. */
export function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1))
    else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return deepest
}

function tooLarge(): CaptureError {
  return new CaptureError(413, `request is larger than ${bodyLimit / 1024 / 1024} MB`)
}

function unreadable(reason: string, cause?: unknown): CaptureError {
  return new CaptureError(400, `failed to parse request: ${reason}`, { cause })
}
