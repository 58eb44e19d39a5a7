import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditEntriesTable } from '../schema/audit-tables.ts'

/** Who acts: a person who signed in, a key, a visitor with a link, or the service itself. */
export type Actor = { kind: AuditEntriesTable['actor_kind']; id: string | null; name: string }

/** Who acts, from which address, in which request. */
export type Acting = { actor: Actor; address: string | null; requestId: string | null }

const acting = new AsyncLocalStorage<Acting>()

const service: Acting = {
  actor: { kind: 'system', id: null, name: 'the service' },
  address: null,
  requestId: null,
}

/** Performs `work`, whose entries of the audit log name this actor, whichever function writes them. */
export function actAs<Result>(who: Acting, work: () => Result): Result {
  return acting.run(who, work)
}

/** Returns who acts now: outside of requests, the service itself. */
export function actingNow(): Acting {
  return acting.getStore() ?? service
}
