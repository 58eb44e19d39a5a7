import { setImmediate as nextTurn } from 'node:timers/promises'
import { collectGarbage } from '../engines/collect-garbage.ts'
import { Thread, ThreadFailed } from '../engines/run-in-thread.ts'
import { CaptureError } from './capture-error.ts'
import type { Capture, CaptureRequest } from './decode.ts'
import type { WorkerInput, WorkerOutput } from './decode-worker.ts'
import { keepsAll, masksPages } from './private-values.ts'

const limit = { elapsedMs: 20_000 }
/** Requests waiting for the thread; each takes up to a few seconds. */
const known = { lane: 'known', laneMax: 32, isUrgent: true, limit }
const unknown = { lane: 'unknown', laneMax: 16, limit }

const thread = new Thread<WorkerInput, WorkerOutput>({
  worker: new URL('./decode-worker.ts', import.meta.url),
  // Larger requests are refused: decoding 20 MB of tiny values can take 30 times as much memory.
  memoryMaxMb: 512,
  idleMs: 5000,
  afterIdle: collectGarbage,
})

/** Decodes what projects mask in recorded pages, and remembers these pages: it ends with the process. */
const masking = new Thread<WorkerInput, WorkerOutput>({
  worker: new URL('./decode-worker.ts', import.meta.url),
  memoryMaxMb: 512,
})

/** Beginnings of the names of windows whose pages the thread has yet to forget. */
const forgotten = new Set<string>()

/** Makes the thread mask windows whose names begin with a text as a whole, until their next full snapshots. */
export function forgetPages(prefix: string): void {
  forgotten.add(prefix)
}

/**
 * Decodes a large request in a thread, so that other requests do not wait.
 * @param isKnown whether the beginning of the request showed a valid token: such requests do not wait for others.
 * @throws CaptureError 400, 401, 413, or 503 when too many requests wait for the thread.
 */
export async function decodeInThread(request: CaptureRequest, now: number, isKnown: boolean) {
  try {
    const { privacy = keepsAll } = request
    const turn = isKnown ? known : unknown
    if (!masksPages(privacy))
      return await thread.runInThread((ask) => receive(ask, { request, now, forgotten: [] }), turn)
    return await masking.runInThread((ask) => {
      const start = { request, now, forgotten: [...forgotten] }
      forgotten.clear()
      return receive(ask, start)
    }, turn)
  } catch (error) {
    if (!(error instanceof ThreadFailed) || error.reason === 'crash') throw error
    const [status, message] =
      error.reason === 'busy'
        ? ([503, 'too many large requests are waiting to be decoded, try again'] as const)
        : ([413, 'request takes too much time or memory to decode'] as const)
    throw new CaptureError(status, message, { cause: error })
  }
}

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
