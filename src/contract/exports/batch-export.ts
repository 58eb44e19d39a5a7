import { z } from 'zod'
import { models } from './export-rules.ts'
import { BatchExportRun } from '../runs/batch-export-run.ts'
import { Destination, DestinationInput } from '../destinations/destination.ts'
import { ExportLabels, ExportLabelsInput } from './export-labels.ts'
import { Instant, InstantInput } from '../datetime.ts'
import { Interval } from '../interval-schema.ts'
import { PlainText, plainName } from '../plain-text.ts'

export const Model = z.enum(models)
export type Model = z.infer<typeof Model>

/** The compiled form of a `hogql_query`: expressions over the model, with their constants in `values`. */
export const ExportSchema = z.object({
  fields: z.array(z.object({ expression: z.string(), alias: z.string() })),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hogql_query: z.string(),
})
export type ExportSchema = z.infer<typeof ExportSchema>

/** When an export was last applied from a file (`source`), and whether its settings differ since. */
export const AppliedFacts = z.object({
  at: Instant,
  by: z.string(),
  source: z.string().nullable(),
  changed: z.boolean(),
})
export type AppliedFacts = z.infer<typeof AppliedFacts>

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
  /** Why the service paused the export; null if a user did, or if it is not paused. */
  paused_because: z.string().nullable(),
  /** Why a user paused the export, and when the pause ends by itself; null if the export is not paused. */
  pause_reason: z.string().nullable(),
  paused_until: Instant.nullable(),
  start_at: Instant.nullable(),
  end_at: Instant.nullable(),
  latest_runs: z.array(BatchExportRun),
  hogql_query: z.string(),
  schema: ExportSchema.nullable(),
  ...ExportLabels.shape,
  /** Present if the export was applied from a file. */
  applied: AppliedFacts.optional(),
})
export type BatchExport = z.infer<typeof BatchExport>

/** Why an export is paused, and when its pause ends by itself; null for none. */
export const PauseInput = z.object({
  reason: PlainText.max(400).nullable().optional(),
  until: InstantInput.nullable().optional(),
})

export const BatchExportCreate = z.object({
  name: plainName(400),
  model: Model.optional(),
  destination: DestinationInput,
  interval: Interval,
  paused: z.boolean().optional(),
  ...PauseInput.shape,
  last_paused_at: InstantInput.nullable().optional(),
  start_at: InstantInput.nullable().optional(),
  end_at: InstantInput.nullable().optional(),
  hogql_query: z.string().nullable().optional(),
  ...ExportLabelsInput.shape,
})
export type BatchExportCreate = z.infer<typeof BatchExportCreate>

/** A copy names its original in `cloned_from`; omitted secrets are copied from the original if the endpoint is the same. */
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

/** An export pauses itself when this many of its last `recentRunsMax` scheduled runs have failed. */
export const automaticPause = { failuresMax: 10, recentRunsMax: 50 } as const
