import { setImmediate as nextTurn } from 'node:timers/promises'
import { collectGarbage } from '../engines/collect-garbage.ts'
import { Thread, ThreadFailed } from '../engines/run-in-thread.ts'
import { CaptureError } from './capture-error.ts'
import type { Capture, CaptureRequest } from './decode.ts'
import type { WorkerInput, WorkerOutput } from './decode-worker.ts'
import { keepsAll, masksPages } from './private-values.ts'

const limit = { elapsedMs: 20_000 }
/** Requests waiting for each thread; each takes up to a few seconds. */
const known = { lane: 'known', laneMax: 32, isUrgent: true, limit }
const unknown = { lane: 'unknown', laneMax: 16, limit }

type Decoder = Thread<WorkerInput, WorkerOutput>

// Larger requests are refused: decoding 20 MB of tiny values can take 30 times as much memory.
const options = { worker: new URL('./decode-worker.ts', import.meta.url), memoryMaxMb: 512 }

/** Decodes what projects mask in recorded pages, and remembers these pages: it ends with the process. */
const masking: Decoder = new Thread(options)

/** Beginnings of the names of windows whose pages the thread has yet to forget. */
const forgotten = new Set<string>()

/** Makes the thread mask windows whose names begin with a text as a whole, until their next full snapshots. */
export function forgetPages(prefix: string): void {
  forgotten.add(prefix)
}

/** Opens threads that decode large requests, so that other requests do not wait. They start when they are needed. */
export function openDecoding(threads: number) {
  const decoders: Decoder[] = Array.from(
    { length: threads },
    () => new Thread({ ...options, idleMs: 5000, afterIdle: collectGarbage }),
  )
  const leastBusy = () => decoders.reduce((least, each) => (each.load < least.load ? each : least))

  function run(request: CaptureRequest, now: number, turn: typeof known | typeof unknown) {
    if (!masksPages(request.privacy ?? keepsAll))
      return leastBusy().runInThread((ask) => receive(ask, { request, now, forgotten: [] }), turn)
    return masking.runInThread((ask) => {
      const start = { request, now, forgotten: [...forgotten] }
      forgotten.clear()
      return receive(ask, start)
    }, turn)
  }

  /**
   * Decodes a large request.
   * @param isKnown whether the beginning of the request showed a valid token: such requests do not wait for others.
   * @throws CaptureError 400, 401, 413, or 503 when too many requests wait or the thread has crashed.
   */
  return async function decodeInThread(request: CaptureRequest, now: number, isKnown: boolean) {
    try {
      return await run(request, now, isKnown ? known : unknown)
    } catch (error) {
      if (!(error instanceof ThreadFailed)) throw error
      const [status, message] = refusals[error.reason]
      throw new CaptureError(status, message, { cause: error })
    }
  }
}

const refusals = {
  busy: [503, 'too many large requests are waiting to be decoded, try again'],
  crash: [503, 'the request could not be decoded, try again'],
  limit: [413, 'request takes too much time or memory to decode'],
} as const

/** Receives the parts one by one, with a turn of the event loop between them. */
async function receive(ask: (input: WorkerInput) => Promise<WorkerOutput>, start: WorkerInput) {
  const capture: Capture = { token: '', events: [], replay: [] }
  for (let input = start; ; input = 'next') {
    const output = await ask(input)
    if ('status' in output) throw new CaptureError(output.status, output.message)
    capture.token = output.capture.token
    capture.events.push(...output.capture.events)
    capture.replay.push(...output.capture.replay)
    if (output.isLast) return capture
    await nextTurn()
  }
}
