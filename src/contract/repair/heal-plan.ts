import { z } from 'zod'
import { writeReason, type Reason } from '../runs/batch-export-run.ts'
import { Instant, InstantInput } from '../instant.ts'
import type { Window } from '../interval.ts'
import { cursorPage } from '../page.ts'

/** Days (UTC) before today that a plan without a period covers. */
const healDays = 30
const dayMs = 86_400_000

/** Returns the period (milliseconds) that a plan covers by default: the days before today, and today until now. */
export function healPeriod(now: number): Window {
  return { start: (Math.floor(now / dayMs) - healDays) * dayMs, end: now }
}

/** Steps per page. */
export const healPageSize = 100
/** Steps of a plan; if more are needed, the plan must have a shorter period or fewer exports. */
export const healStepsMax = 100_000

/** Plans of a project; a new plan replaces the oldest that is neither running nor stopped midway. */
export const healPlansMax = 100

/** `Running` until all steps have ended, which includes their verification; `Stopped` plans can be run again. */
export const healPlanStatuses = ['Planned', 'Running', 'Stopped', 'Completed'] as const
export const HealPlanStatus = z.enum(healPlanStatuses)
export type HealPlanStatus = z.infer<typeof HealPlanStatus>

/**
 * State of a step. `left_out`: not to be repaired; `running`: its windows are exported again; `verifying`: they are read back;
 * `proven`: the destination has exactly the rows of every window; `unproven`: exported, but not all windows are proven;
 * `failed`: a run of the step failed, or not all windows were exported; `unneeded`: nothing was left to repair when the step's turn came.
 */
export const healStepStates = [
  'planned',
  'left_out',
  'running',
  'verifying',
  'proven',
  'unproven',
  'failed',
  'unneeded',
] as const
export const HealStepState = z.enum(healStepStates)
export type HealStepState = z.infer<typeof HealStepState>

/**
 * Why windows need repair. `missing`: no run exported them; `failed`: their run failed; `short`: the destination lacks rows or
 * files, or has others; `skipped`: skipped by a pause, and repaired only if the step is included.
 */
export const healCauses = ['missing', 'failed', 'short', 'skipped'] as const
export type HealCause = (typeof healCauses)[number]
export const HealCounts = z.object({
  missing: z.int(),
  failed: z.int(),
  short: z.int(),
  skipped: z.int(),
})
/** Number of windows by cause. */
export type HealCounts = z.infer<typeof HealCounts>

/** Adjacent windows of one export that are exported again in the same way. */
export const HealStep = z.object({
  number: z.int(),
  batch_export: z.string(),
  batch_export_name: z.string(),
  /** Period and number of the windows; they follow each other and have the same length. */
  start: Instant,
  end: Instant,
  windows: z.int(),
  causes: HealCounts,
  /** By arrival, as the scheduled runs take rows, or by the time of the event for windows before the schedule. */
  selects_by: z.enum(['arrival', 'time']),
  /** Counted in ClickHouse; null until counted, or if that takes too long. */
  rows_expected: z.int().nullable(),
  /** From the durations of the export's last runs; null if none has completed. */
  seconds_expected: z.number().nullable(),
  state: HealStepState,
  /** The backfill that repairs the step. */
  backfill: z.string().nullable(),
  /** Windows that were exported again; the others had been repaired meanwhile. */
  sent: z.int(),
  finished: z.int(),
  proven: z.int(),
  /** Windows whose destination allows no reading. */
  unreadable: z.int(),
  /** Why the step failed or is not proven; of a stopped plan, why runs failed before the stop. */
  problem: z.string().nullable(),
})
export type HealStep = z.infer<typeof HealStep>

/** A plan to repair windows of many exports. Totals are those of the steps that are not left out. */
export const HealPlan = z.object({
  id: z.string(),
  status: HealPlanStatus,
  /** Null for all exports of the project. */
  batch_export_ids: z.array(z.string()).nullable(),
  start: Instant,
  end: Instant,
  /** Number of steps by state. */
  steps: z.object({ total: z.int(), states: z.partialRecord(HealStepState, z.int()) }),
  exports: z.int(),
  windows: z.int(),
  causes: HealCounts,
  /** Windows that a pause skipped, whether or not they are to be repaired. */
  skipped_by_pause: z.int(),
  rows_expected: z.int().nullable(),
  seconds_expected: z.number().nullable(),
  sent: z.int(),
  finished: z.int(),
  proven: z.int(),
  unreadable: z.int(),
  /** Label of the key that created the plan. */
  by: z.string(),
  created_at: Instant,
  started_at: Instant.nullable(),
  finished_at: Instant.nullable(),
})
export type HealPlan = z.infer<typeof HealPlan>
export const HealPlanList = cursorPage(HealPlan)

/** A plan with a page of its steps, newest windows first. */
export const HealPlanDetails = HealPlan.extend({
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(HealStep),
})
export type HealPlanDetails = z.infer<typeof HealPlanDetails>

export const HealPlanQuery = z.object({
  offset: z.coerce.number().int().nonnegative().max(healStepsMax).catch(0),
})

export const HealPlanInput = z.strictObject({
  batch_export_ids: z.array(z.string()).min(1, 'This list may not be empty.').max(10_000).optional(),
  start: InstantInput.optional(),
  end: InstantInput.optional(),
})

const stepNumbers = z.array(z.int().nonnegative().max(healStepsMax)).max(healStepsMax)
/** Numbers of steps to leave out, and to include again. */
export const HealChange = z.strictObject({
  leave_out: stepNumbers.optional(),
  include: stepNumbers.optional(),
})

const isAtRest = ({ status }: Pick<HealPlan, 'status'>) => status === 'Planned' || status === 'Stopped'

/** Reasons why a plan's status or the key's scopes rule out an action. */
export const healPlanCan = {
  run: (plan: Pick<HealPlan, 'status'>, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (isAtRest(plan) ? null : `Cannot run a heal plan that is in '${plan.status}' status`),
  stop: (plan: Pick<HealPlan, 'status'>, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (plan.status === 'Running' ? null : `Cannot stop a heal plan that is in '${plan.status}' status`),
  change: (plan: Pick<HealPlan, 'status'>, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (isAtRest(plan)
      ? null
      : `Cannot change the steps of a heal plan that is in '${plan.status}' status: stop it first.`),
}
