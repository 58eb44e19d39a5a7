import { Thread } from '../../engines/run-in-thread.ts'
import type { FoundReferences, WorkerInput } from './reference-worker.ts'

const limit = { elapsedMs: 20_000 }

/** Searches for the files that blocks and style sheets name; `stop` ends the thread. */
export type ReferenceThread = {
  search(input: WorkerInput): Promise<FoundReferences>
  stop(): Promise<void>
}

export function openReferenceThread(): ReferenceThread {
  const thread = new Thread<WorkerInput, FoundReferences>({
    worker: new URL('./reference-worker.ts', import.meta.url),
    memoryMaxMb: 512,
  })
  return {
    search: (input) => thread.runInThread((ask) => ask(input), { limit }),
    stop: () => thread.stop(),
  }
}
