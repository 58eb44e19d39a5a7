import { Thread, ThreadFailed } from '../engines/run-in-thread.ts'
import type { ParserReply } from './parse-worker.ts'

const cpuLimitMs = 5_000

const thread = new Thread<string, ParserReply>({
  worker: new URL('./parse-worker.ts', import.meta.url),
  idleMs: 30_000,
})

/**
 * Parses a SELECT with PostHog's parser in a thread: the parser takes exponential time for some short queries and
 * overflows on some long ones.
 * @returns the parser's unchecked tree, or null when the parser failed or used more CPU time than `limitMs`.
 */
export async function parseSelect(query: string, limitMs = cpuLimitMs): Promise<unknown> {
  try {
    const reply = await thread.runInThread((ask) => ask(query), { limit: { cpuMs: limitMs } })
    return reply === null ? null : JSON.parse(reply)
  } catch (error) {
    const isUnreadable = error instanceof SyntaxError
    if (isUnreadable || (error instanceof ThreadFailed && error.reason === 'limit')) return null
    throw error
  }
}
