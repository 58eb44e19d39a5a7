import { sql, type Updateable } from 'kysely'
import { ledgerFlagsOf, ledgerStateOf } from '../../../contract/runs/ledger.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import { countOf, findRow, findRows, updateRows } from '../schema/rows.ts'
import type { RepairStepRow } from './repair-plans.ts'
import type { RepairStepsTable } from '../schema/repair-tables.ts'
import type { RunRow } from '../runs/runs-list.ts'

/** Returns the ids of all running plans, oldest first. */
export async function runningPlans(store: Store): Promise<string[]> {
  const rows = await findRows(store, 'repair_plans', { status: 'Running' }, sql`ORDER BY created_at, id`)
  return rows.map(({ id }) => id)
}

/** Locks a running plan until the transaction ends, unless another process continues it. */
export function claimPlan(transaction: StoreTransaction, id: string) {
  return findRow(transaction, 'repair_plans', { id, status: 'Running' }, sql`FOR UPDATE SKIP LOCKED`)
}

/** Returns the first steps of a plan in one of these states. */
export function stepsIn(
  store: Store,
  planId: string,
  states: readonly RepairStepRow['state'][],
  limit: number,
) {
  const steps = { plan_id: planId, state: states }
  return findRows(store, 'repair_steps', steps, sql`ORDER BY number LIMIT ${limit}`)
}

export async function updateStep(
  store: Store,
  { plan_id, number }: Pick<RepairStepRow, 'plan_id' | 'number'>,
  change: Updateable<RepairStepsTable>,
): Promise<void> {
  await updateRows(store, 'repair_steps', { plan_id, number }, change)
}

type StepPeriod = Pick<RepairStepRow, 'batch_export_id' | 'start_at' | 'end_at'>

/** Counts the runs in progress of an export within a step's period, whoever created them. */
export function countRunsInProgress(store: Store, { batch_export_id, start_at, end_at }: StepPeriod) {
  return countOf(
    store,
    sql`batch_export_runs WHERE batch_export_id = ${batch_export_id} AND data_interval_start >= ${start_at}
      AND data_interval_end <= ${end_at} AND status IN ('Starting', 'Running', 'FailedRetryable')`,
  )
}

export type UnsuccessfulRun = RunRow & { isOwnFailure: boolean; exportedSince: boolean }

/**
 * Returns, newest first, the runs within a step's period that failed in one of its own backfills, whatever happened to their
 * windows since, and the newest run of each window if that run failed or was cancelled. Of runs created at the same time,
 * the step's own is the newest.
 */
export async function unsuccessfulRuns(
  store: Store,
  { batch_export_id, start_at, end_at, backfill_id, backfill_ids }: RepairStepRow,
): Promise<UnsuccessfulRun[]> {
  return await rowsOf<UnsuccessfulRun>(store)`
    SELECT * FROM (SELECT *, row_number() OVER newest_first = 1 AS "isNewest",
        status IN ('Failed', 'TimedOut') AND backfill_id IS NOT NULL AND backfill_id = ANY (${backfill_ids}::uuid[])
          AS "isOwnFailure",
        coalesce(bool_or(status = 'Completed') OVER (newest_first ROWS UNBOUNDED PRECEDING), false) AS "exportedSince"
      FROM batch_export_runs
      WHERE batch_export_id = ${batch_export_id} AND data_interval_start >= ${start_at} AND data_interval_end <= ${end_at}
      WINDOW newest_first AS (PARTITION BY data_interval_start, data_interval_end
        ORDER BY created_at DESC, backfill_id IS NOT DISTINCT FROM ${backfill_id}::uuid DESC, id DESC)) AS runs
    WHERE "isOwnFailure" OR ("isNewest" AND status IN ('Failed', 'TimedOut', 'Cancelled'))
    ORDER BY created_at DESC, data_interval_start DESC`
}

export type StepWindow = Awaited<ReturnType<typeof recordedWithin>>[number]

/** Returns the recorded windows within a step's period, with what the last verification found. */
export async function recordedWithin(store: Store, { batch_export_id, start_at, end_at }: StepPeriod) {
  const rows = await store
    .selectFrom('batch_export_ledger')
    .select(['rows_expected', 'rows_written', 'rows_read', 'rows_source', 'hash_expected', 'hash_read'])
    .select(['late_rows', 'problem', 'erasure_id', 'objects_found', 'verified_at', 'verify_requested_at'])
    .where('batch_export_id', '=', batch_export_id)
    .where('data_interval_start', '>=', start_at)
    .where('data_interval_end', '<=', end_at)
    .execute()
  return rows.map((row) => {
    const judged = { ...row, verified: row.verified_at !== null }
    const flags = ledgerFlagsOf(judged, null)
    return {
      state: ledgerStateOf(judged, flags),
      flags,
      problem: row.problem,
      isVerifying: row.verify_requested_at !== null,
    }
  })
}
