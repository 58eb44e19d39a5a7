import { z } from 'zod'
import { BatchExportRun, writeReason, type Reason } from './batch-export-run.ts'
import { Destination, DestinationInput } from './destination.ts'
import { Instant, InstantInput } from './instant.ts'
import { Interval } from './interval.ts'

export const models = ['events', 'persons'] as const
export const Model = z.enum(models)
export type Model = z.infer<typeof Model>

/** The compiled form of a `hogql_query`: expressions over the model, with their constants in `values`. */
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

/** A copy names its original in `cloned_from`; omitted secrets are copied from the original. */
export const NewBatchExport = BatchExportCreate.extend({ cloned_from: z.string().optional() })

/** In organization scope, `team_id` names the project; the default is the organization's first project. */
export const OrganizationBatchExportCreate = NewBatchExport.extend({ team_id: z.int().optional() })

export const BatchExportUpdate = BatchExportCreate.extend({
  destination: DestinationInput.partial(),
}).partial()
export type BatchExportUpdate = z.infer<typeof BatchExportUpdate>

/** `backfill-range.ts` validates the backfill times, because the API prescribes the texts and order of their errors. */
export const BackfillInput = z.object({ start_at: z.unknown(), end_at: z.unknown() }).partial()

export const UnpauseInput = z.object({ backfill: z.boolean().optional() })

/** A body whose content is ignored. */
export const IgnoredInput = z.object({})

type State = Pick<BatchExport, 'paused'>

/** Reasons why an export's state or the key's scopes rule out an action. */
export const exportCan = {
  edit: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  delete: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  backfill: (_: State, granted: readonly string[]): Reason => writeReason(granted),
  pause: (state: State, granted: readonly string[]): Reason =>
    writeReason(granted) ?? (state.paused ? 'This batch export is already paused.' : null),
  unpause: (state: State, granted: readonly string[]): Reason =>
    writeReason(granted) ?? (state.paused ? null : 'This batch export is not paused.'),
}
