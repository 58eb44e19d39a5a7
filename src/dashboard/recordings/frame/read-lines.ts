import { isObject, parseSnapshotLine, type WindowEvent } from '../../../contract/rrweb.ts'
import { neutralize } from './neutralize.ts'
import { unpack } from './unpack.ts'

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
