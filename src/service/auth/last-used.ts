import type { Services } from '../services.ts'
import { touchApiKey } from '../store/accounts/api-keys.ts'
import type { Caller } from './caller.ts'

const updateIntervalMs = 60_000

/** Records when keys were last used, at most once a minute per key, without delaying the request. */
export type LastUsed = { touch(caller: Caller): void; settle(): Promise<void> }

export function trackLastUsed(services: Services): LastUsed {
  const writing = new Map<string, Promise<void>>()

  async function write(id: string, now: number): Promise<void> {
    try {
      await touchApiKey(services.store, id, new Date(now))
    } catch (error) {
      services.logger.warn({ err: error }, 'failed to record when a key was last used')
    } finally {
      writing.delete(id)
    }
  }

  return {
    touch({ key }) {
      const now = services.clock.now()
      const usedAt = key.last_used_at?.getTime() ?? -Infinity
      if (now - usedAt >= updateIntervalMs && !writing.has(key.id)) writing.set(key.id, write(key.id, now))
    },
    async settle() {
      await Promise.all(writing.values())
    },
  }
}
