import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FoundReferences, WorkerInput } from './reference-worker.ts'

const timeLimitMs = 20_000
const memoryMaxMb = 512

/** Searches in a thread, so that a long block or style sheet delays no request; `stop` ends the thread. */
export type ReferenceThread = {
  /** Returns the files that the input names. Call it again only when it is done. @throws when the search takes too much time or memory. */
  search(input: WorkerInput): Promise<FoundReferences>
  stop(): Promise<void>
}

export function startReferenceThread(): ReferenceThread {
  let worker: Worker | null = null
  const stop = async () => {
    const thread = worker
    worker = null
    await thread?.terminate()
  }
  return {
    async search(input) {
      worker ??= new Worker(new URL('./reference-worker.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb },
      })
      const received = once(worker, 'message', { signal: AbortSignal.timeout(timeLimitMs) })
      worker.postMessage(input, [])
      try {
        const [output] = (await received) as [FoundReferences]
        return output
      } catch (error) {
        await stop()
        throw error
      }
    },
    stop,
  }
}
