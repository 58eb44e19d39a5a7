import { z } from 'zod'
import type { WindowState } from '../runs/window-state.ts'
import { Instant, InstantInput } from '../datetime.ts'
import type { Window } from '../interval.ts'
import { exportStates } from '../exports/export-rules.ts'

/** Days that the strip of all exports shows, in cells of this length (hours). */
export const healthDays = 7
export const healthCellHours = 3
/** Exports that Home shows; those that need attention come first. */
export const healthExportsMax = 12
/** Runs, backfills and changes that the response names; the others are counted. */
export const healthNamesMax = 20

/** States of windows that should be exported again. */
export const statesToRepair: ReadonlySet<WindowState> = new Set(['missing', 'failed', 'short'])

/** With `since`, the response contains the changes after this time. */
export const HealthQuery = z.object({ since: InstantInput.optional() })

const Named = z.object({ id: z.string(), name: z.string() })

/**
 * A change. `failed`: `count` runs of an export failed, `text` is the newest error; `paused`, `created` and `deleted` are of an
 * export, `by` is the label of a key, null for the service itself; `gaps`: `count` windows that ended since are missing;
 * `error`: an error that is new in recordings, `text` is its message; `recordings`: `count` recordings with errors.
 */
export const HealthChange = z.object({
  kind: z.enum(['failed', 'paused', 'unpaused', 'created', 'deleted', 'gaps', 'error', 'recordings']),
  at: Instant,
  export: Named.nullable(),
  /** The newest failed run. */
  run: z.string().nullable(),
  cluster: z.int().nullable(),
  by: z.string().nullable(),
  count: z.int(),
  text: z.string().nullable(),
})
export type HealthChange = z.infer<typeof HealthChange>

const HealthRun = z.object({
  id: z.string(),
  export: Named,
  start: Instant,
  end: Instant,
  started_at: Instant,
  records_completed: z.int(),
  records_total_count: z.int().nullable(),
})
export type HealthRun = z.infer<typeof HealthRun>

const HealthBackfill = z.object({
  id: z.string(),
  export: Named,
  total_runs: z.int(),
  finished_runs: z.int(),
})
export type HealthBackfill = z.infer<typeof HealthBackfill>

/** Whether everything in a project is fine, in numbers. */
export const ProjectHealth = z.object({
  at: Instant,
  /** Whether the project contains the sample data of the first start. */
  is_sample: z.boolean(),
  /**
   * `complete`: exports that neither fail nor paused themselves, without a window to repair; `to_repair`: windows that a repair
   * plan without a period would repair.
   */
  exports: z.object({
    total: z.int(),
    complete: z.int(),
    failing: z.int(),
    paused: z.int(),
    auto_paused: z.int(),
    to_repair: z.int(),
  }),
  /** At most 12 exports: those that fail or paused themselves, then those with the most windows to repair. */
  most_urgent: z
    .array(Named.extend({ state: z.enum(exportStates), to_repair: z.int() }))
    .max(healthExportsMax),
  /** `start` of the first cell; for each cell, the ended windows of all exports and how many of them need to be repaired. */
  strip: z.object({ start: Instant, windows: z.array(z.int()), to_repair: z.array(z.int()) }),
  /**
   * Rows of the windows that ended today (UTC) until `until`. `usual`: those that exports have at this time of the week, by the
   * medians of up to `weeks` weeks; null if unknown. `compared`: today's rows of the exports that `usual` includes.
   */
  rows: z.object({
    until: Instant,
    today: z.int(),
    compared: z.int(),
    usual: z.int().nullable(),
    weeks: z.int(),
  }),
  /** Newest first; null without `since`. */
  changes: z.array(HealthChange).nullable(),
  /** Number of further changes, which `changes` does not name. */
  more_changes: z.int(),
  running: z.object({ runs: z.int(), newest: z.array(HealthRun), backfills: z.array(HealthBackfill) }),
  /** Null if the key may not read recordings. */
  capture: z
    .object({
      /** Arrival of the newest event, and number of events that arrived in each of the last 30 minutes, oldest first. */
      last_event: Instant.nullable(),
      by_minute: z.array(z.int()),
      last_recording: z.object({ id: z.string(), name: z.string(), at: Instant }).nullable(),
    })
    .nullable(),
})
export type ProjectHealth = z.infer<typeof ProjectHealth>

const cellMs = healthCellHours * 3_600_000

/** Returns the period of a cell of the strip that starts at `start`. */
export function healthCell(start: string, index: number): Window {
  const from = Date.parse(start) + index * cellMs
  return { start: from, end: from + cellMs }
}
