import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
import { repeatable } from '../page.ts'
import { runStatuses } from './run-status.ts'

export const RunStatus = z.enum(runStatuses)
export type RunStatus = z.infer<typeof RunStatus>

export const BatchExportRun = z.object({
  id: z.string(),
  status: RunStatus,
  records_completed: z.int(),
  latest_error: z.string().nullable(),
  data_interval_start: Instant,
  data_interval_end: Instant,
  cursor: z.string(),
  created_at: Instant,
  finished_at: Instant.nullable(),
  last_updated_at: Instant,
  records_total_count: z.int().nullable(),
  batch_export: z.string(),
  backfill: z.string().nullable(),
  bytes_exported: z.int().nullable(),
  attempt: z.int(),
})
export type BatchExportRun = z.infer<typeof BatchExportRun>

/**
 * A run with the object keys of the files it wrote. `window_query`: the statement that reads its window, if the export's
 * destination is a table.
 */
export const RunWithFiles = BatchExportRun.extend({
  files: z.array(z.string()),
  window_query: z.string().nullable(),
})

/** A run shown on its own page, with the name of its batch export. */
export const StandaloneRun = RunWithFiles.extend({ batch_export_name: z.string() })

export const runOrderings = [
  'created_at',
  '-created_at',
  'data_interval_start',
  '-data_interval_start',
] as const

export const RunListQuery = z.object({
  cursor: z.string().optional(),
  ordering: z
    .enum(runOrderings, {
      error: (issue) =>
        `"${String(issue.input).slice(0, 100)}" is not a valid choice. Order by one of: ${runOrderings.join(', ')}.`,
    })
    .default('-created_at'),
  status: repeatable(RunStatus),
  after: InstantInput.optional(),
  before: InstantInput.optional(),
  start: InstantInput.optional(),
  end: InstantInput.optional(),
  /** Runs of this backfill, or with `none` those that the schedule started. */
  backfill: z.union([z.guid(), z.literal('none')]).optional(),
})

/** A retry's body is validated and otherwise ignored: the new run determines its own values. */
export const RunRetryInput = z.object({
  status: RunStatus.optional(),
  records_completed: z.int().nullable().optional(),
  latest_error: z.string().nullable().optional(),
  data_interval_start: InstantInput.nullable().optional(),
  data_interval_end: InstantInput.nullable().optional(),
  cursor: z.string().nullable().optional(),
  finished_at: InstantInput.nullable().optional(),
  records_total_count: z.int().nullable().optional(),
})

export const BackfillStatus = z.enum(['Starting', 'Running', 'Completed', 'Failed', 'Cancelled'])
export type BackfillStatus = z.infer<typeof BackfillStatus>

export const Backfill = z.object({
  id: z.string(),
  progress: z.object({ total_runs: z.int(), finished_runs: z.int(), progress: z.number() }),
  start_at: Instant,
  end_at: Instant,
  status: BackfillStatus,
  created_at: Instant,
  finished_at: Instant.nullable(),
  last_updated_at: Instant,
  batch_export: z.string(),
})
export type Backfill = z.infer<typeof Backfill>
