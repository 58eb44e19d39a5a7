import type { Generated } from 'kysely'
import type { RepairPlanStatus, RepairStepState } from '../../../contract/repair/repair-plan.ts'

export type RepairPlansTable = {
  id: string
  project_id: number
  actor: string
  status: RepairPlanStatus
  batch_export_ids: string[] | null
  start_at: Date
  end_at: Date
  rows_counted: boolean
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

/** Columns of a step that its plan gives. */
export type PlannedStep = {
  batch_export_id: string
  start_at: Date
  end_at: Date
  /** Length of a window in milliseconds. */
  window_ms: number
  missing: number
  failed: number
  short: number
  skipped: number
  selects_by: 'arrival' | 'time'
  rows_expected: number | null
  seconds_expected: number | null
  state: RepairStepState
}

export type RepairStepsTable = PlannedStep & {
  plan_id: string
  number: number
  /** The newest of `backfill_ids`. */
  backfill_id: string | null
  backfill_ids: Generated<string[]>
  verification_id: string | null
  sent: Generated<number>
  finished: Generated<number>
  proven: Generated<number>
  unreadable: Generated<number>
  problem: string | null
}

export type RepairTables = {
  repair_plans: RepairPlansTable
  repair_steps: RepairStepsTable
}
