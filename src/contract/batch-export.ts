import { z } from 'zod'
import { BatchExportRun, writeReason, type Reason } from './batch-export-run.ts'
import { Destination, DestinationInput } from './destination.ts'
import { Instant, InstantInput } from './instant.ts'
import { Interval } from './interval.ts'

export const models = ['events', 'persons'] as const
export const Model = z.enum(models)
export type Model = z.infer<typeof Model>

/** What a `hogql_query` compiles to: expressions over the model, their constants apart. */
export const ExportSchema = z.object({
  fields: z.array(z.object({ expression: z.string(), alias: z.string() })),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hogql_query: z.string(),
})
export type ExportSchema = z.infer<typeof ExportSchema>

export const BatchExport = z.object({
  id: z.string(),
  team_id: z.int(),
  name: z.string(),
  model: Model,
  destination: Destination,
  interval: Interval,
  paused: z.boolean(),
  created_at: Instant,
  last_updated_at: Instant,
  last_paused_at: Instant.nullable(),
  start_at: Instant.nullable(),
  end_at: Instant.nullable(),
  latest_runs: z.array(BatchExportRun),
  hogql_query: z.string(),
  schema: ExportSchema.nullable(),
})
export type BatchExport = z.infer<typeof BatchExport>

export const BatchExportCreate = z.object({
  name: z.string().trim().min(1).max(400),
  model: Model.optional(),
  destination: DestinationInput,
  interval: Interval,
  paused: z.boolean().optional(),
  last_paused_at: InstantInput.nullable().optional(),
  start_at: InstantInput.nullable().optional(),
  end_at: InstantInput.nullable().optional(),
  hogql_query: z.string().nullable().optional(),
})
export type BatchExportCreate = z.infer<typeof BatchExportCreate>

/** A copy names its original by `cloned_from`: secrets that are not given are taken from there. */
export const NewBatchExport = BatchExportCreate.extend({ cloned_from: z.string().optional() })

/** In the organization's scope the project is named by `team_id`; without one it is the first. */
export const OrganizationBatchExportCreate = NewBatchExport.extend({ team_id: z.int().optional() })

export const BatchExportUpdate = BatchExportCreate.extend({
  destination: DestinationInput.partial(),
}).partial()
export type BatchExportUpdate = z.infer<typeof BatchExportUpdate>

/** Backfill times stay unknown here: their errors have texts and an order of their own, see `backfill-range.ts`. */
export const BackfillInput = z.object({ start_at: z.unknown(), end_at: z.unknown() }).partial()

export const UnpauseInput = z.object({ backfill: z.boolean().optional() })

/** Pause reads nothing from its body. */
export const IgnoredInput = z.object({})

type State = Pick<BatchExport, 'paused'>

/** What an export's state and the key's scopes allow; the reason when not. */
export const exportCan = {
  edit: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  delete: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  backfill: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  pause: (state: State, granted: readonly string[]): Reason =>
    writeReason(granted) ?? (state.paused ? 'This batch export is already paused.' : null),
  unpause: (state: State, granted: readonly string[]): Reason =>
    writeReason(granted) ?? (state.paused ? null : 'This batch export is not paused.'),
}
