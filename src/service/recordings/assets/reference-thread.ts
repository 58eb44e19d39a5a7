import { Thread } from '../../engines/run-in-thread.ts'
import type { FoundReferences, WorkerInput } from './reference-worker.ts'

export type ReferenceThread = Thread<WorkerInput, FoundReferences>

export function openReferenceThread(): ReferenceThread {
  return new Thread({ worker: new URL('./reference-worker.ts', import.meta.url), memoryMaxMb: 512 })
}

/** Searches a block or a style sheet for the files that it names. */
export function searchFor(thread: ReferenceThread, input: WorkerInput) {
  return thread.runInThread((ask) => ask(input), { limit: { elapsedMs: 20_000 } })
}
