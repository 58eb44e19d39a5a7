import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Work that is repeated in the background. */
export type Loop = {
  /** What a failure means, for the log. */
  problem: string
  /** Returns the delay (ms) before its next call. Stopping aborts the signal. */
  work(signal: AbortSignal): Promise<number>
  /** Called once after the last call of `work`. */
  end?(): Promise<void>
}

export type Background = { stop(): Promise<void> }

const retryDelayMs = 1000

/** Starts loops, which stop together. A failure is logged, and its work is tried again after a second. */
export function startLoops({ logger }: { logger: Logger }, loops: readonly Loop[]): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async ({ problem, work, end }: Loop) => {
    while (!signal.aborted) {
      const delay = await work(signal).catch((error: unknown) => {
        logger.error({ err: error }, problem)
        return retryDelayMs
      })
      await setTimeout(delay, undefined, { signal }).catch(() => undefined)
    }
    await end?.()
  }
  const running = loops.map(run)
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
