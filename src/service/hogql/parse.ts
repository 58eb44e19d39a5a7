import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ParserReply } from './parse-worker.ts'

const timeLimitMs = 5_000
const idleMs = 30_000

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * Parses a SELECT with PostHog's parser in a thread: the parser takes exponential time for some short queries and
 * overflows on some long ones. The thread parses one query at a time and ends after `idleMs` without one.
 * @returns the parser's unchecked tree, or null when the parser failed or took longer than `limitMs`.
 */
export async function parseSelect(query: string, limitMs = timeLimitMs): Promise<unknown> {
  const pending = queue.then(() => parseInThread(query, limitMs))
  queue = pending.catch(() => null)
  const reply = await pending
  try {
    return reply === null ? null : JSON.parse(reply)
  } catch {
    return null
  }
}

async function parseInThread(query: string, limitMs: number): Promise<ParserReply> {
  clearTimeout(idle)
  const thread = (worker ??= new Worker(new URL('./parse-worker.ts', import.meta.url)))
  // The thread keeps the process alive only while a caller waits for its reply.
  thread.ref()
  try {
    const received = once(thread, 'message', { signal: AbortSignal.timeout(limitMs) })
    thread.postMessage(query, [])
    const [reply] = (await received) as [ParserReply]
    thread.unref()
    idle = setTimeout(() => void stop(), idleMs).unref()
    return reply
  } catch (error) {
    await stop()
    if (limitErrorCodes.has(codeOf(error))) return null
    throw error
  }
}

/** Errors of a thread that ran out of time or memory. */
const limitErrorCodes = new Set<unknown>(['ABORT_ERR', 'ERR_WORKER_OUT_OF_MEMORY'])

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

async function stop(): Promise<void> {
  const thread = worker
  worker = null
  await thread?.terminate()
}
