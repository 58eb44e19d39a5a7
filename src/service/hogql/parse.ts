import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ParserAnswer } from './parse-worker.ts'

const timeLimitMs = 5_000
const idleMs = 30_000

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * Parses a SELECT with PostHog's parser, apart from the service: the parser takes exponential time for some short queries and
 * overflows on some long ones. One query at a time; the thread ends when it is not used.
 * @returns the parser's tree, not to be trusted, or null when it broke down or took longer than `limitMs`.
 */
export async function parseSelect(query: string, limitMs = timeLimitMs): Promise<unknown> {
  const asked = queue.then(() => ask(query, limitMs))
  queue = asked.catch(() => null)
  const answer = await asked
  try {
    return answer === null ? null : JSON.parse(answer)
  } catch {
    return null
  }
}

async function ask(query: string, limitMs: number): Promise<ParserAnswer> {
  clearTimeout(idle)
  const thread = (worker ??= new Worker(new URL('./parse-worker.ts', import.meta.url)))
  // It holds the process open only while someone waits for its answer.
  thread.ref()
  try {
    const answered = once(thread, 'message', { signal: AbortSignal.timeout(limitMs) })
    thread.postMessage(query, [])
    const [answer] = (await answered) as [ParserAnswer]
    thread.unref()
    idle = setTimeout(() => void stop(), idleMs).unref()
    return answer
  } catch (error) {
    await stop()
    if (gaveUp.has(codeOf(error))) return null
    throw error
  }
}

/** Out of time, out of memory. */
const gaveUp = new Set<unknown>(['ABORT_ERR', 'ERR_WORKER_OUT_OF_MEMORY'])

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

async function stop(): Promise<void> {
  const thread = worker
  worker = null
  await thread?.terminate()
}
