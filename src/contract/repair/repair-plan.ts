import { z } from 'zod'
import { writeReason, type Reason } from '../runs/run-status.ts'
import { Instant, InstantInput } from '../datetime.ts'
import type { Window } from '../interval.ts'
import { cursorPage } from '../page.ts'

/** Days (UTC) before today that a plan without a period covers. */
const repairDays = 30
const dayMs = 86_400_000

/** Returns the period (milliseconds) that a plan covers by default: the days before today, and today until now. */
export function repairPeriod(now: number): Window {
  return { start: (Math.floor(now / dayMs) - repairDays) * dayMs, end: now }
}

/** Steps per page. */
export const repairPageSize = 100
/** Steps of a plan; if more are needed, the plan must have a shorter period or fewer exports. */
export const repairStepsMax = 100_000

/** Plans of a project; a new plan replaces the oldest that is neither running nor stopped midway. */
export const repairPlansMax = 100

/** `Running` until all steps have ended, which includes their verification; `Stopped` plans can be run again. */
export const RepairPlanStatus = z.enum(['Planned', 'Running', 'Stopped', 'Completed'])
export type RepairPlanStatus = z.infer<typeof RepairPlanStatus>

/**
 * State of a step. `left_out`: not to be repaired, as at first what a pause skipped or what will fail; `running`: its windows are
 * exported again; `verifying`: they are read back; `proven`: the destination has exactly the rows of every window; `unproven`:
 * exported, but not all windows are proven; `failed`: a run of the step failed, or not all windows were exported; `unneeded`:
 * nothing was left to repair when the step's turn came.
 */
export const RepairStepState = z.enum([
  'planned',
  'left_out',
  'running',
  'verifying',
  'proven',
  'unproven',
  'failed',
  'unneeded',
])
export type RepairStepState = z.infer<typeof RepairStepState>

/**
 * Why windows need repair. `missing`: no run exported them; `failed`: their run failed; `short`: the destination lacks rows or
 * files, or has others; `skipped`: skipped by a pause, and repaired only if the step is included.
 */
export const repairCauses = ['missing', 'failed', 'short', 'skipped'] as const
export type RepairCause = (typeof repairCauses)[number]
export const RepairCounts = z.object({ missing: z.int(), failed: z.int(), short: z.int(), skipped: z.int() })
/** Number of windows by cause. */
export type RepairCounts = z.infer<typeof RepairCounts>

/** Adjacent windows of one export that are exported again in the same way. */
export const RepairStep = z.object({
  number: z.int(),
  batch_export: z.string(),
  batch_export_name: z.string(),
  /** A paused export is repaired too, and stays paused. */
  batch_export_paused: z.boolean(),
  /** Period and number of the windows; they follow each other and have the same length. */
  start: Instant,
  end: Instant,
  windows: z.int(),
  causes: RepairCounts,
  /** By arrival, as the scheduled runs take rows, or by the time of the event for windows before the schedule. */
  selects_by: z.enum(['arrival', 'time']),
  /** Counted in ClickHouse; until then, or if that takes too long, from the export's last runs. Null if none has completed. */
  rows_expected: z.int().nullable(),
  /** From the durations of the export's last runs and the number of runs at once; null if none has completed. */
  seconds_expected: z.number().nullable(),
  state: RepairStepState,
  /** The failure that will recur, because the destination has not been changed since; null if none is known or the step began. */
  will_fail: z.string().nullable(),
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
export type RepairStep = z.infer<typeof RepairStep>

/** A plan to repair windows of many exports. Totals are those of the steps that are not left out. */
export const RepairPlan = z.object({
  id: z.string(),
  status: RepairPlanStatus,
  /** Null for all exports of the project. */
  batch_export_ids: z.array(z.string()).nullable(),
  start: Instant,
  end: Instant,
  /** Number of steps by state. */
  steps: z.object({ total: z.int(), states: z.partialRecord(RepairStepState, z.int()) }),
  exports: z.int(),
  windows: z.int(),
  causes: RepairCounts,
  /** Windows that a pause skipped, whether or not they are to be repaired. */
  skipped_by_pause: z.int(),
  rows_expected: z.int().nullable(),
  /** Whether the rows were counted, as far as possible. */
  rows_counted: z.boolean(),
  /** Null if that of any step is. */
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
export type RepairPlan = z.infer<typeof RepairPlan>
export const RepairPlanList = cursorPage(RepairPlan)

/** A plan with a page of its steps, newest windows first. */
export const RepairPlanDetails = RepairPlan.extend(cursorPage(RepairStep).shape)
export type RepairPlanDetails = z.infer<typeof RepairPlanDetails>

export const RepairPlanQuery = z.object({
  offset: z.coerce.number().int().nonnegative().max(repairStepsMax).catch(0),
})

export const RepairPlanInput = z.strictObject({
  batch_export_ids: z.array(z.string()).min(1, 'This list may not be empty.').max(10_000).optional(),
  start: InstantInput.optional(),
  end: InstantInput.optional(),
})

const stepNumbers = z.array(z.int().nonnegative().max(repairStepsMax)).max(repairStepsMax)
/** Numbers of steps to leave out, and to include again. */
export const RepairChange = z.strictObject({
  leave_out: stepNumbers.optional(),
  include: stepNumbers.optional(),
})

const isAtRest = ({ status }: Pick<RepairPlan, 'status'>) => status === 'Planned' || status === 'Stopped'

/** Reasons why a plan's status or the key's scopes rule out an action. */
export const repairPlanCan = {
  run: (plan: Pick<RepairPlan, 'status'>, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (isAtRest(plan) ? null : `Cannot run a repair plan that is in '${plan.status}' status`),
  stop: (plan: Pick<RepairPlan, 'status'>, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (plan.status === 'Running' ? null : `Cannot stop a repair plan that is in '${plan.status}' status`),
  change: (plan: Pick<RepairPlan, 'status'>, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (isAtRest(plan)
      ? null
      : `Cannot change the steps of a repair plan that is in '${plan.status}' status: stop it first.`),
}
