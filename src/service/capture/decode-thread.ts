import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { collectGarbage } from '../engines/collect-garbage.ts'
import { exceededThreadLimit } from '../engines/clickhouse/thread-limit.ts'
import { CaptureError } from './capture-error.ts'
import type { Capture, CaptureRequest } from './decode.ts'
import type { WorkerInput, WorkerOutput } from './decode-worker.ts'

const timeLimitMs = 20_000
const idleMs = 5000
/** Requests waiting for the thread; each takes up to a few seconds. */
const waitingMax = { known: 32, unknown: 16 }
/** Larger requests are refused: decoding 20 MB of tiny values can take 30 times as much memory. */
const memoryMaxMb = 512

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let isWorking = false
const waiting: Job[] = []

type Job = { request: CaptureRequest; now: number; isKnown: boolean; done: PromiseWithResolvers<Capture> }

/**
 * Decodes a large request in a thread, so that other requests do not wait. The thread decodes one request at a time and
 * ends after `idleMs` without one, which frees the memory of both.
 * @param isKnown whether the beginning of the request showed a valid token: such requests do not wait for others.
 * @throws CaptureError 400, 401, 413, or 503 when too many requests wait for the thread.
 */
export function decodeInThread(request: CaptureRequest, now: number, isKnown: boolean): Promise<Capture> {
  const alike = waiting.filter((job) => job.isKnown === isKnown).length
  if (alike >= waitingMax[isKnown ? 'known' : 'unknown'])
    return Promise.reject(
      new CaptureError(503, 'too many large requests are waiting to be decoded, try again'),
    )
  const done = Promise.withResolvers<Capture>()
  waiting.push({ request, now, isKnown, done })
  if (!isWorking) void decodeAll()
  return done.promise
}

async function decodeAll(): Promise<void> {
  isWorking = true
  for (let job = nextJob(); job; job = nextJob()) {
    await decode(job.request, job.now).then(job.done.resolve, job.done.reject)
  }
  isWorking = false
}

function nextJob(): Job | undefined {
  const index = waiting.findIndex(({ isKnown }) => isKnown)
  return waiting.splice(Math.max(index, 0), 1)[0]
}

async function decode(request: CaptureRequest, now: number): Promise<Capture> {
  clearTimeout(idle)
  const thread = (worker ??= startWorker())
  thread.ref()
  try {
    return await receive(thread, request, now)
  } catch (error) {
    if (error instanceof CaptureError) throw error
    await stop()
    if (!exceededThreadLimit(error)) throw error
    throw new CaptureError(413, 'request takes too much time or memory to decode', { cause: error })
  } finally {
    thread.unref()
    idle = setTimeout(() => void stop().then(collectGarbage), idleMs).unref()
  }
}

function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMaxMb }
  const thread = new Worker(new URL('./decode-worker.ts', import.meta.url), { resourceLimits })
  // Between requests there is no other listener, and without one an error would end the process.
  return thread.on('error', () => {
    if (worker === thread) worker = null
  })
}

/** Receives the parts one by one, with a turn of the event loop between them. */
async function receive(thread: Worker, request: CaptureRequest, now: number): Promise<Capture> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const capture: Capture = { token: '', events: [], replay: [] }
  let input: WorkerInput = { request, now }
  for (;;) {
    const received = once(thread, 'message', { signal })
    thread.postMessage(input, [])
    const [output] = (await received) as [WorkerOutput]
    if ('status' in output) throw new CaptureError(output.status, output.message)
    capture.token = output.capture.token
    capture.events.push(...output.capture.events)
    capture.replay.push(...output.capture.replay)
    if (output.isLast) return capture
    input = 'next'
    await nextTurn()
  }
}

async function stop(): Promise<void> {
  const thread = worker
  worker = null
  await thread?.terminate()
}
