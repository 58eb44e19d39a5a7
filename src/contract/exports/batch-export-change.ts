import { z } from 'zod'
import { Instant } from '../datetime.ts'

export const ChangeKind = z.enum([
  'created',
  'cloned',
  'updated',
  'paused',
  'unpaused',
  'deleted',
  'restored',
])
export type ChangeKind = z.infer<typeof ChangeKind>

/** A field by its API name, such as `destination.config.prefix`. Values of secrets are not recorded. */
export const ChangedField = z.object({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  secret: z.boolean(),
})
export type ChangedField = z.infer<typeof ChangedField>

/** `by` is the label of the API key that made the change; null for the service itself. */
export const BatchExportChange = z.object({
  id: z.string(),
  kind: ChangeKind,
  by: z.string().nullable(),
  /** Name of the file from which the change was applied; null if none. */
  source: z.string().nullable(),
  /** Id of the change that this one reverted; null if none. */
  reverts: z.string().nullable(),
  created_at: Instant,
  fields: z.array(ChangedField),
  /** Why the change cannot be reverted now; null if it can. */
  revert_problem: z.string().nullable(),
})
export type BatchExportChange = z.infer<typeof BatchExportChange>
