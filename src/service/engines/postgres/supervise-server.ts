import { setTimeout as delay } from 'node:timers/promises'
import type { EmbeddedPostgres } from './embedded-postgres.ts'

type Handlers = {
  onRestart: () => void
  report: (problem: string, error?: unknown) => void
}

const checkIntervalMs = 250
const retryDelayMs = 1000

/** Restarts the embedded PostgreSQL whenever it ends. `stop` waits for a restart in progress. */
export function superviseServer(
  server: Pick<EmbeddedPostgres, 'hasEnded' | 'restart'>,
  { onRestart, report }: Handlers,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined)

  async function restart(): Promise<void> {
    report('the embedded PostgreSQL ended and is being restarted')
    while (!signal.aborted) {
      try {
        await server.restart()
        return onRestart()
      } catch (error) {
        report('failed to restart the embedded PostgreSQL', error)
        await pause(retryDelayMs)
      }
    }
  }

  async function supervise(): Promise<void> {
    for (;;) {
      await pause(checkIntervalMs)
      if (signal.aborted) return
      if (await server.hasEnded()) await restart()
    }
  }

  const supervising = supervise()
  return {
    async stop() {
      stopping.abort()
      await supervising
    },
  }
}
