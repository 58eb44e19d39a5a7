import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { PrivacySettings } from './privacy-settings.ts'

/** What sweeps remove by age and by size. The audit log has a retention of its own. */
export const retentionKinds = ['events', 'runs', 'logs'] as const
export const RetentionKind = z.enum(retentionKinds)
export type RetentionKind = z.infer<typeof RetentionKind>

/** Fields of the settings that limit a kind. */
export const retentionFields = {
  events: { days: 'event_days', bytes: 'event_bytes' },
  runs: { days: 'run_days', bytes: 'run_bytes' },
  logs: { days: 'log_days', bytes: 'log_bytes' },
} as const satisfies Record<RetentionKind, { days: keyof PrivacySettings; bytes: keyof PrivacySettings }>

/** Rows that a sweep removed. */
export const SweptData = z.object({ events: z.int(), runs: z.int(), logs: z.int() })
export type SweptData = z.infer<typeof SweptData>

/**
 * What a project stores of a kind, and what the next sweep removes: whole days (UTC) by arrival of events, by the end of a run's
 * window, or by the time of a log entry. Bytes are estimated from the average row.
 */
export const RetainedData = z.object({
  kind: RetentionKind,
  rows: z.int(),
  bytes: z.int(),
  /** Start of the oldest day with rows; null without rows. */
  oldest: Instant.nullable(),
  /** Average of the last seven days. */
  bytes_per_day: z.int(),
  /** Everything before this time is removed; null if the next sweep removes nothing. */
  until: Instant.nullable(),
  removed_rows: z.int(),
  removed_bytes: z.int(),
  /** Rows beyond the limits that are kept, because an export has yet to export a window with them, or to show that it did. */
  held_rows: z.int(),
  held_by: z.object({ batch_export: z.string(), name: z.string(), since: Instant }).nullable(),
})
export type RetainedData = z.infer<typeof RetainedData>

export const Retention = z.object({
  data: z.array(RetainedData),
  /** Null without limits. */
  next_sweep_at: Instant.nullable(),
  swept_at: Instant.nullable(),
  swept: SweptData.nullable(),
  /** Days after which recordings that nobody keeps are deleted, in the whole installation. */
  recording_days: z.int(),
  /** The disk of the installation; `bytes_per_day` is what all its projects have added a day, on average of the last seven. */
  disk: z
    .object({
      free_bytes: z.int(),
      total_bytes: z.int(),
      bytes_per_day: z.int(),
      /** When the disk is full at this rate if nothing is removed; null if that takes more than ten years. */
      full_at: Instant.nullable(),
    })
    .nullable(),
})
export type Retention = z.infer<typeof Retention>

/** A limit in a query: empty for none. */
function limit<Limit extends z.ZodType>(schema: Limit) {
  return z.preprocess((text) => (text === '' ? null : Number(text)), schema).optional()
}
const { event_days, event_bytes, run_days, run_bytes, log_days, log_bytes } = PrivacySettings.shape
/** Limits to try instead of those of the project. */
export const RetentionQuery = z.object({
  event_days: limit(event_days),
  event_bytes: limit(event_bytes),
  run_days: limit(run_days),
  run_bytes: limit(run_bytes),
  log_days: limit(log_days),
  log_bytes: limit(log_bytes),
})
