import { isObject, mutationParts } from '../../../contract/rrweb.ts'

/** Characters that one packed part may unfold to: a recording must not fill the memory of who looks at it. */
const unpackedMax = 50_000_000

/**
 * The data of an event that posthog-js has packed (`cv`): gzip bytes written as Latin-1 text, for the whole or for its parts.
 * @throws when they are no gzip, no JSON, or too large.
 */
export async function unpack(data: unknown): Promise<unknown> {
  if (typeof data === 'string') return unpackText(data)
  if (!isObject(data)) return data
  const unpacked = { ...data }
  for (const part of mutationParts) {
    const packed = data[part]
    if (typeof packed === 'string') unpacked[part] = await unpackText(packed)
  }
  return unpacked
}

async function unpackText(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let json = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    json += part.value
    if (json.length <= unpackedMax) continue
    await reader.cancel()
    throw new Error(`a packed event unfolds to more than ${unpackedMax} characters`)
  }
  return JSON.parse(json)
}
