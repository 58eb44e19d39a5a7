import type { Services } from '../services.ts'
import { touchApiKey } from '../store/api-keys.ts'
import type { Caller } from './caller.ts'

const intervalMs = 60_000

/** Remembers when keys were used, at most once a minute each, while the request goes on. */
export type LastUsed = { touch(caller: Caller): void; settle(): Promise<void> }

export function trackLastUsed(services: Services): LastUsed {
  const writing = new Map<string, Promise<void>>()

  async function write(id: string, now: number): Promise<void> {
    try {
      await touchApiKey(services.store, id, new Date(now))
    } catch (error) {
      services.logger.warn({ err: error }, 'the time a key was last used could not be written')
    } finally {
      writing.delete(id)
    }
  }

  return {
    touch({ key }) {
      const now = services.clock.now()
      const usedAt = key.last_used_at?.getTime() ?? -Infinity
      if (now - usedAt >= intervalMs && !writing.has(key.id)) writing.set(key.id, write(key.id, now))
    },
    async settle() {
      await Promise.all(writing.values())
    },
  }
}
