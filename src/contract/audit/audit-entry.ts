import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
import { repeatable } from '../page.ts'
import { auditActions, auditActorKinds } from './audit-actions.ts'

const Values = z.record(z.string(), z.unknown()).nullable()

/** Who did what, when and from where. Entries contain no secrets, and name recorded persons only by a keyed hash. */
export const AuditEntry = z.object({
  id: z.string(),
  created_at: Instant,
  /** null if the action belongs to no project. */
  project: z.int().nullable(),
  /** One of `auditActions`, or one of another version. */
  action: z.string(),
  /** `id` is null for the service itself, and for a client whose key is unknown. */
  actor: z.object({ kind: z.enum(auditActorKinds), id: z.string().nullable(), name: z.string() }),
  /** IP address of the client; null for the service itself. */
  address: z.string().nullable(),
  object: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  /** Values of the fields that changed; null if none are recorded. */
  before: Values,
  after: Values,
  request_id: z.string().nullable(),
  /** Number of the seal that covers the entry; null until it is sealed, which takes seconds. */
  seal: z.int().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const filter = {
  /** Id or name of an actor. */
  actor: z.string().max(200).optional(),
  action: repeatable(z.enum(auditActions)),
  /** Type of the object, like `export`. */
  object_type: z.string().max(50).optional(),
  /** Id of the object. */
  object: z.string().max(200).optional(),
  project: z.coerce.number().int().min(1).max(2147483647).optional(),
  /** Part of a name, an id, an address, an action or a value. */
  search: z.string().max(200).optional(),
  /** From this time on, and before that one. */
  after: InstantInput.optional(),
  before: InstantInput.optional(),
}

export const AuditFilter = z.object(filter)
export type AuditFilter = z.infer<typeof AuditFilter>
export const AuditQuery = z.object({ ...filter, cursor: z.string().optional() })
