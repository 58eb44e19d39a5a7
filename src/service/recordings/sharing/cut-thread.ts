import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CutRequest, CutResult } from './cut-worker.ts'

const timeLimitMs = 20_000
const memoryMaxMb = 512
/** Largest number of requests that wait for the thread; more would wait longer than visitors do. */
const waitingMax = 50

/** The thread has too much to do, or one request needs too much time or memory. */
export class CutFailed extends Error {}

/**
 * Cuts recordings in a thread, one request after the other, so that a long part delays no other request. `read` returns the
 * request when its turn comes, so that only one at a time is in memory.
 */
export type CutThread = (read: () => Promise<CutRequest>) => Promise<CutResult>

export function startCutThread(): CutThread {
  let worker: Worker | null = null
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const cut = async (request: CutRequest): Promise<CutResult> => {
    if (!worker) {
      worker = new Worker(new URL('./cut-worker.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb },
      })
      // An idle thread must not keep the service from ending.
      worker.unref()
    }
    const thread = worker
    const received = once(thread, 'message', { signal: AbortSignal.timeout(timeLimitMs) })
    thread.postMessage(request, [])
    try {
      const [result] = (await received) as [CutResult]
      return result
    } catch (cause) {
      worker = null
      await thread.terminate()
      throw new CutFailed('a part of a recording could not be cut', { cause })
    }
  }

  return async (read) => {
    if (waiting >= waitingMax) throw new CutFailed('too many parts of recordings wait to be cut')
    waiting += 1
    const result = last.then(async () => cut(await read()))
    last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      waiting -= 1
    }
  }
}
