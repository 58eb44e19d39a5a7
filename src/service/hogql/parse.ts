import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { exceededThreadLimit } from '../engines/clickhouse/thread-limit.ts'
import type { ParserReply } from './parse-worker.ts'

const cpuLimitMs = 5_000
const checkIntervalMs = 50
const idleMs = 30_000

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * Parses a SELECT with PostHog's parser in a thread: the parser takes exponential time for some short queries and
 * overflows on some long ones. The thread parses one query at a time and ends after `idleMs` without one.
 * @returns the parser's unchecked tree, or null when the parser failed or used more CPU time than `limitMs`, which does
 * not depend on how busy the machine is.
 */
export async function parseSelect(query: string, limitMs = cpuLimitMs): Promise<unknown> {
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
  const ended = new AbortController()
  // The thread keeps the process alive only while a caller waits for its reply.
  thread.ref()
  try {
    const received = once(thread, 'message', { signal: ended.signal })
    thread.postMessage(query, [])
    void abortAtLimit(thread, ended, limitMs)
    const [reply] = (await received) as [ParserReply]
    thread.unref()
    idle = setTimeout(() => void stop(), idleMs).unref()
    return reply
  } catch (error) {
    await stop()
    if (exceededThreadLimit(error)) return null
    throw error
  } finally {
    ended.abort()
  }
}

async function abortAtLimit(thread: Worker, ended: AbortController, limitMs: number): Promise<void> {
  const before = await cpuMs(thread)
  for await (const _ of setInterval(checkIntervalMs, null, { ref: false })) {
    if (ended.signal.aborted) return
    if ((await cpuMs(thread)) - before > limitMs) ended.abort()
  }
}

/** Returns the CPU time that the thread has used; 0 before it runs and after it has ended. */
async function cpuMs(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}

async function stop(): Promise<void> {
  const thread = worker
  worker = null
  await thread?.terminate()
}
