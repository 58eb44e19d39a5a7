import { parentPort } from 'node:worker_threads'
import { CaptureError } from './capture-error.ts'
import { decodeCapture, type Capture, type CaptureRequest } from './decode.ts'
import { followedPages } from './replay/replay-item.ts'

/**
 * Starts decoding a request, or asks for the next part of its content. Before, it forgets the followed pages of windows whose
 * names begin with one of `forgotten`.
 */
export type WorkerInput = { request: CaptureRequest; now: number; forgotten: string[] } | 'next'

/** A part of a request's content, short enough to be received without blocking the main thread; or why the request is refused. */
export type WorkerOutput =
  | { capture: Capture; isLast: boolean }
  | { status: CaptureError['status']; message: string }

const eventsPerPart = 2000

let parts: Iterator<WorkerOutput> = [].values()

parentPort?.on('message', async (input: WorkerInput) => {
  if (input !== 'next') {
    for (const prefix of input.forgotten) followedPages.forget(prefix)
    parts = await decoded(input.request, input.now)
  }
  const { value } = parts.next()
  parentPort?.postMessage(value, buffersOf(value))
})

/** Returns the buffers that the main thread takes over, instead of copying them. */
function buffersOf(output: WorkerOutput): ArrayBuffer[] {
  return 'capture' in output ? output.capture.replay.map(({ lines }) => lines.text.buffer) : []
}

async function decoded(request: CaptureRequest, now: number): Promise<Iterator<WorkerOutput>> {
  try {
    return partsOf(await decodeCapture(request, now))
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error
    return [{ status: error.status, message: error.message }].values()
  }
}

/** Parts contain either events or one replay item, whose lines can be long. */
function* partsOf({ token, events, replay }: Capture): Generator<WorkerOutput> {
  for (const item of replay) yield { capture: { token, events: [], replay: [item] }, isLast: false }
  for (let start = 0; start < events.length; start += eventsPerPart)
    yield {
      capture: { token, events: events.slice(start, start + eventsPerPart), replay: [] },
      isLast: false,
    }
  yield { capture: { token, events: [], replay: [] }, isLast: true }
}
