import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CutRequest, CutResult } from './cut-worker.ts'

const timeLimitMs = 20_000
const memoryMaxMb = 512
/** Largest number of requests that wait for the thread, and of one link; more would wait longer than visitors do. */
const waitingMax = { all: 50, link: 10 }

/** The thread has too much to do, or one request needs too much time or memory. */
export class CutFailed extends Error {}

/**
 * Cuts recordings in a thread, one request after the other, so that a long part delays no other request. Links take turns, so
 * that the visitors of one link do not delay those of another much. `read` returns the request when its turn comes, so that
 * only one at a time is in memory.
 */
export type CutThread = (linkId: string, read: () => Promise<CutRequest>) => Promise<CutResult>

type Waiting = { read: () => Promise<CutRequest>; settle: PromiseWithResolvers<CutResult> }

export function startCutThread(): CutThread {
  let worker: Worker | null = null
  /** Requests by link; the link whose turn is next comes first. */
  const queues = new Map<string, Waiting[]>()
  let waiting = 0
  let isWorking = false

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

  /** Takes the first request of the next link, whose further requests then wait for the other links. */
  const takeNext = (): Waiting | undefined => {
    for (const [linkId, [next, ...rest]] of queues) {
      queues.delete(linkId)
      if (rest.length > 0) queues.set(linkId, rest)
      return next
    }
    return undefined
  }

  const work = async () => {
    isWorking = true
    for (let next = takeNext(); next; next = takeNext()) {
      const { read, settle } = next
      await read().then(cut).then(settle.resolve, settle.reject)
      waiting -= 1
    }
    isWorking = false
  }

  return (linkId, read) => {
    const queue = queues.get(linkId) ?? []
    if (waiting >= waitingMax.all || queue.length >= waitingMax.link)
      return Promise.reject(new CutFailed('too many parts of recordings wait to be cut'))
    const settle = Promise.withResolvers<CutResult>()
    waiting += 1
    queues.set(linkId, [...queue, { read, settle }])
    if (!isWorking) void work()
    return settle.promise
  }
}
