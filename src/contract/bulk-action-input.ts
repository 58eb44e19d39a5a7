import { z } from 'zod'
import { RunStatus } from './runs/batch-export-run.ts'
import { PauseInput } from './exports/batch-export.ts'
import { bulkActions, recordingActions } from './bulk-action.ts'
import { InstantInput } from './datetime.ts'
import { RecordingFilter } from './recordings/recording-filter.ts'

/** Ids in one request. */
const idsMax = 10_000

/** Objects that the action applies to: either their ids or a filter. */
export function objects<Filter extends z.ZodType>(filter: Filter) {
  const ids = z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(idsMax, { error: `Send at most ${idsMax} ids, or a filter.` })
  return { ids: ids.optional(), filter: filter.optional() }
}

const ExportFilter = z.strictObject({ paused: z.boolean().optional() })
/** With a `cause` of failures, its `key`: the exports whose runs failed with it, with `after` and `before` in that period. */
const PauseFilter = ExportFilter.extend({
  cause: z.string().min(1).max(1000).optional(),
  after: InstantInput.optional(),
  before: InstantInput.optional(),
})
/**
 * Names an export, or failures: the `key` of their `cause`, and with `after` and `before` a period in which runs ended. With
 * `paused` and `after` (`export_windows` only), the failures of all causes. The runs of failures are the newest of each
 * window that no run has exported since.
 */
const RunFilter = z.strictObject({
  batch_export: z.guid().optional(),
  cause: z.string().min(1).max(1000).optional(),
  status: z.array(RunStatus).max(20).optional(),
  backfill: z.guid().optional(),
  after: InstantInput.optional(),
  before: InstantInput.optional(),
  start: InstantInput.optional(),
  end: InstantInput.optional(),
})
const ofExports = objects(ExportFilter)

/** Ranges in one request. */
const rangesMax = 5000
/**
 * The windows of exports to export again: those that failed and have not been exported since, those that the last pause
 * skipped, or those in these ranges that have ended.
 */
const Windows = z.union(
  [
    z.enum(['failed', 'skipped']),
    z
      .array(z.strictObject({ start_at: InstantInput, end_at: InstantInput }))
      .min(1)
      .max(rangesMax),
  ],
  { error: `Send "failed", "skipped", or up to ${rangesMax} ranges with 'start_at' and 'end_at'.` },
)

/**
 * Starts an action on many objects. `export_windows` exports windows again: those of runs, or with `windows` those of
 * exports, which `ids` or a filter by `paused` then name.
 * `backfill` of an unpause exports what the pause skipped.
 */
export const BulkActionInput = z.discriminatedUnion(
  'action',
  [
    z.strictObject({ action: z.literal('delete_batch_exports'), ...ofExports }),
    z.strictObject({
      action: z.literal('pause_batch_exports'),
      ...objects(PauseFilter),
      ...PauseInput.shape,
    }),
    z.strictObject({
      action: z.literal('unpause_batch_exports'),
      ...ofExports,
      backfill: z.boolean().optional(),
    }),
    z.strictObject({
      action: z.literal('export_windows'),
      ...objects(RunFilter.extend(ExportFilter.shape)),
      windows: Windows.optional(),
    }),
    z.strictObject({ action: z.literal('cancel_runs'), ...objects(RunFilter) }),
    // As in the list's URL: structured filters are JSON texts.
    z.strictObject({ action: z.enum(recordingActions), ...objects(RecordingFilter) }),
  ],
  { error: `Name an action: ${bulkActions.join(', ')}.` },
)
export type BulkActionInput = z.output<typeof BulkActionInput>
