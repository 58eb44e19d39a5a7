import type { Services } from '../services.ts'
import { touchApiKey } from '../store/accounts/api-keys.ts'
import { touchSession } from '../store/accounts/sessions.ts'
import type { Caller } from './caller.ts'
import type { Client } from './client.ts'

const updateIntervalMs = 60_000

/** Records when and from where keys and sessions were last used, at most once a minute each, without delaying the request. */
export type LastUsed = {
  touch(caller: Caller, client: Pick<Client, 'address' | 'device'>): void
  settle(): Promise<void>
}

export function trackLastUsed({ store, clock, logger }: Services): LastUsed {
  const writing = new Map<string, Promise<void>>()

  function touch(
    { id, last_used_at }: { id: string; last_used_at: Date | null },
    write: (at: Date) => Promise<void>,
  ) {
    const now = clock.now()
    if (now - (last_used_at?.getTime() ?? -Infinity) < updateIntervalMs || writing.has(id)) return
    const written = write(new Date(now))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'failed to record when a key or session was last used'),
      )
      .finally(() => writing.delete(id))
    writing.set(id, written)
  }

  return {
    touch({ key, session }, { address, device }) {
      if (key) touch(key, (at) => touchApiKey(store, key.id, at, address))
      if (session)
        touch(session, (at) => touchSession(store, session.id, { last_used_at: at, address, device }))
    },
    async settle() {
      await Promise.all(writing.values())
    },
  }
}
