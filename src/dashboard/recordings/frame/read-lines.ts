import { isObject, mutationParts, parseSnapshotLine, type WindowEvent } from '../../../contract/rrweb.ts'
import { neutralize } from './neutralize.ts'

/** Longer than this at a stretch (milliseconds), and the playing stutters. */
const stretchMax = 12

type Lines = {
  events: WindowEvent[]
  /** Lines that are no event, or cannot be unpacked. */ unreadable: number
}

/** The events of a text of lines, unpacked and made harmless; pauses often, so that the page stays alive. */
export async function readLines(text: string): Promise<Lines> {
  const events: WindowEvent[] = []
  let unreadable = 0
  let began = performance.now()
  for (const line of linesOf(text)) {
    const event = await readLine(line)
    if (event) events.push(event)
    else unreadable += 1
    if (performance.now() - began < stretchMax) continue
    await nextTask()
    began = performance.now()
  }
  return { events, unreadable }
}

async function readLine(line: string): Promise<WindowEvent | null> {
  const read = parseSnapshotLine(line)
  if (!read) return null
  const { type, timestamp, data: recorded, cv } = read.event
  try {
    const data = cv === undefined ? recorded : await unpack(recorded)
    const event = { type, timestamp, data: isObject(data) ? data : {} }
    return neutralize(event) ? { window: read.window, event } : null
  } catch {
    // Counted, and told to whoever watches.
    return null
  }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? undefined : end)
    if (line !== '') yield line
    start = end === -1 ? text.length : end + 1
  }
}

function nextTask(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done)
  })
}

/** Characters that one packed part may unfold to: a recording must not fill the memory of who looks at it. */
const unpackedMax = 50_000_000

/**
 * The data of an event that posthog-js has packed (`cv`): gzip bytes written as Latin-1 text, for the whole or for its parts.
 * @throws when they are no gzip, no JSON, or too large.
 */
async function unpack(data: unknown): Promise<unknown> {
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
