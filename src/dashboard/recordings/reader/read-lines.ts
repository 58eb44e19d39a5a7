import {
  isObject,
  mutationParts,
  parseSnapshotLine,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { createMobileScreen } from '../mobile/mobile-screen.ts'

/** Longest time (ms) spent reading before yielding; a longer task would make playback stutter. */
const taskMsMax = 12
const newlineByte = 10

type Neutralize = (event: WindowEvent) => boolean
type DrawScreen = ReturnType<typeof createMobileScreen>

/**
 * Returns the events in JSON lines (UTF-8) that `neutralize` keeps, unpacked; yields often, so that the page stays responsive.
 * `draw` turns the events of apps into those of a document. Returns also the number of lines that contain no playable event
 * or cannot be unpacked.
 */
export async function readLines(bytes: Uint8Array, neutralize: Neutralize, draw = createMobileScreen()) {
  const events: WindowEvent[] = []
  let unreadable = 0
  let startedAt = performance.now()
  for (const line of linesOf(bytes)) {
    const read = await readLine(line, neutralize, draw)
    events.push(...read)
    if (read.length === 0) unreadable += 1
    if (performance.now() - startedAt < taskMsMax) continue
    await nextTask()
    startedAt = performance.now()
  }
  return { events, unreadable }
}

async function readLine(line: string, neutralize: Neutralize, draw: DrawScreen): Promise<WindowEvent[]> {
  const read = parseSnapshotLine(line)
  if (!read) return []
  const { window } = read
  const { type, timestamp, data: recorded, cv } = read.event
  try {
    const data = cv === undefined ? recorded : await unpack(recorded)
    const event = { type, timestamp, data: isObject(data) ? data : {} }
    return draw({ window, event })
      .map((drawn) => ({ window, event: drawn }))
      .filter(neutralize)
  } catch {
    // The caller counts the line, and the player reports the number.
    return []
  }
}

/** Decodes each line alone: one character beyond Latin-1, such as "€", doubles the size of a text and slows its parsing. */
function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder()
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(newlineByte, start)
    const end = newline === -1 ? bytes.length : newline
    if (end > start) yield decoder.decode(bytes.subarray(start, end))
    start = end + 1
  }
}

function nextTask(): Promise<void> {
  return new Promise((done) => {
    // A message arrives sooner than a timer, which browsers delay by 4 ms.
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      done()
    })
    port1.start()
    port2.postMessage(null)
  })
}

/** Longest unpacked text, in characters; a malicious recording must not exhaust the viewer's memory. */
const unpackedLengthMax = 50_000_000

/**
 * Unpacks the data of an event that posthog-js packed (`cv`), as a whole or in parts: gzip bytes as Latin-1 text.
 * @throws when the data is not gzip, not JSON, or too large.
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
    if (json.length <= unpackedLengthMax) continue
    await reader.cancel()
    throw new Error(`a packed event unpacks to more than ${unpackedLengthMax} characters`)
  }
  return JSON.parse(json)
}
