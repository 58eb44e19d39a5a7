import { sql, type Selectable } from 'kysely'
import type { RepairCounts } from '../../../contract/repair/repair-plan.ts'
import { notFound } from '../../problems/api-error.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { PlannedStep, RepairPlansTable, RepairStepsTable } from '../schema/repair-tables.ts'
import { keysetPage, type PagePosition } from '../schema/keyset-page.ts'
import { findRow } from '../schema/rows.ts'

export type RepairPlanRow = Selectable<RepairPlansTable>
export type RepairStepRow = Selectable<RepairStepsTable>
export type NamedStep = RepairStepRow & { name: string; paused: boolean }

/** Plans per page, whose steps are summed: 0.1 s for a plan with the most steps. */
const listSize = 20

/**
 * Locks a plan until the transaction ends, so that it is not stopped while it is continued, or the other way round.
 * @throws ApiError 404 if the plan has been deleted meanwhile.
 */
export async function lockRepairPlan(transaction: StoreTransaction, id: string): Promise<RepairPlanRow> {
  const plan = await findRow(transaction, 'repair_plans', { id }, sql`FOR UPDATE`)
  if (!plan) throw notFound()
  return plan
}

/** Returns a page of a project's plans, newest first; null if the position's row is not among them. */
export function pageOfRepairPlans(store: Store, projectId: number, position: PagePosition | null) {
  const among = sql`project_id = ${projectId}`
  return keysetPage<RepairPlanRow>(store, { from: sql`repair_plans`, among, position, size: listSize })
}

/** Plans deleted by one request, which each may have many steps. */
const deletedMax = 10

/**
 * Deletes a project's oldest plans that are neither running nor stopped midway, so that there is room for one more; returns
 * false if `max` plans are. Locks the project.
 */
export async function makeRoomForPlan(
  transaction: StoreTransaction,
  projectId: number,
  max: number,
): Promise<boolean> {
  await sql`SELECT FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`.execute(transaction)
  const { rows } = await sql<{ total: number; kept: number }>`
    SELECT count(*) AS total, count(*) FILTER (WHERE status IN ('Running', 'Stopped')) AS kept
    FROM repair_plans WHERE project_id = ${projectId}`.execute(transaction)
  const { total, kept } = rows[0] ?? { total: 0, kept: 0 }
  if (kept >= max) return false
  const excess = Math.max(0, total + 1 - max)
  await sql`
    DELETE FROM repair_plans WHERE status IN ('Planned', 'Completed') AND id IN (
      SELECT id FROM repair_plans WHERE project_id = ${projectId} AND status IN ('Planned', 'Completed')
      ORDER BY created_at, id LIMIT ${Math.min(excess, deletedMax)})`.execute(transaction)
  return true
}

/** Deletes some of the plans created before `time` that were never started; resolves to their number. */
export async function deleteUnusedPlans(store: Store, time: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM repair_plans WHERE status = 'Planned' AND id IN (
      SELECT id FROM repair_plans WHERE status = 'Planned' AND created_at < ${time} LIMIT ${deletedMax})`.execute(
    store,
  )
  return Number(numAffectedRows ?? 0)
}

/** Stores a plan with its steps, which it numbers in their order. */
export async function insertRepairPlan(
  transaction: StoreTransaction,
  plan: RepairPlanRow,
  steps: readonly PlannedStep[],
): Promise<void> {
  await transaction.insertInto('repair_plans').values(plan).execute()
  const column = <Name extends keyof PlannedStep>(name: Name) => steps.map((step) => step[name])
  await sql`
    INSERT INTO repair_steps (plan_id, number, batch_export_id, start_at, end_at, window_ms, missing, failed, short, skipped,
      selects_by, rows_expected, seconds_expected, state)
    SELECT ${plan.id}::uuid, number - 1, batch_export_id, start_at, end_at, window_ms, missing, failed, short, skipped, selects_by,
      rows_expected, seconds_expected, state
    FROM unnest(${column('batch_export_id')}::uuid[], ${column('start_at')}::timestamptz[], ${column('end_at')}::timestamptz[],
      ${column('window_ms')}::bigint[], ${column('missing')}::integer[], ${column('failed')}::integer[],
      ${column('short')}::integer[], ${column('skipped')}::integer[], ${column('selects_by')}::text[],
      ${column('rows_expected')}::bigint[], ${column('seconds_expected')}::double precision[], ${column('state')}::text[])
      WITH ORDINALITY AS step (batch_export_id, start_at, end_at, window_ms, missing, failed, short, skipped, selects_by,
        rows_expected, seconds_expected, state, number)`.execute(transaction)
}

/** Returns steps of a plan with the names and pauses of their exports, in order. */
export async function pageOfSteps(store: Store, planId: string, offset: number, limit: number) {
  return await rowsOf<NamedStep>(store)`
    SELECT step.*, name, paused FROM repair_steps step JOIN batch_exports export ON export.id = batch_export_id
    WHERE plan_id = ${planId} AND number >= ${offset} ORDER BY number LIMIT ${limit}`
}

export type PlanTotals = ReturnType<typeof totalOf>

type StateTotals = RepairCounts &
  Record<'steps' | 'windows' | 'sent' | 'finished' | 'proven' | 'unreadable', number> &
  Pick<RepairStepRow, 'plan_id' | 'state' | 'rows_expected' | 'seconds_expected'> & { exports: string[] }

/** The time of all steps; null if that of one is unknown, because the others would promise too little. */
const secondsOfAll = sql`CASE WHEN count(seconds_expected) = count(*) THEN sum(seconds_expected) END`

/** Sums the steps of each plan. Steps that are left out count only as steps and as skipped by a pause. */
export async function totalsOfPlans(store: Store, planIds: readonly string[]) {
  const rows = await rowsOf<StateTotals>(store)`
    SELECT plan_id, state, sum(steps)::bigint AS steps, sum(missing + failed + short + skipped)::bigint AS windows,
      sum(missing)::bigint AS missing, sum(failed)::bigint AS failed, sum(short)::bigint AS short, sum(skipped)::bigint AS skipped,
      sum(rows_expected)::bigint AS rows_expected, ${secondsOfAll} AS seconds_expected, sum(sent)::bigint AS sent,
      sum(finished)::bigint AS finished, sum(proven)::bigint AS proven, sum(unreadable)::bigint AS unreadable,
      array_agg(batch_export_id) AS exports
    FROM unnest(${planIds}::uuid[]) AS plan (plan_id) CROSS JOIN LATERAL (
      SELECT state, batch_export_id, count(*) AS steps, sum(missing) AS missing, sum(failed) AS failed,
        sum(short) AS short, sum(skipped) AS skipped, sum(rows_expected) AS rows_expected,
        ${secondsOfAll} AS seconds_expected, sum(sent) AS sent, sum(finished) AS finished, sum(proven) AS proven,
        sum(unreadable) AS unreadable
      FROM repair_steps step WHERE step.plan_id = plan.plan_id GROUP BY state, batch_export_id) AS of_export
    GROUP BY plan_id, state`
  const byPlan = Map.groupBy(rows, (row) => row.plan_id)
  return new Map(planIds.map((id) => [id, totalOf(byPlan.get(id) ?? [])]))
}

function totalOf(states: readonly StateTotals[]) {
  const included = states.filter(({ state }) => state !== 'left_out')
  const sum = (
    name: Exclude<keyof StateTotals, 'plan_id' | 'state' | 'exports'>,
    of: readonly StateTotals[] = included,
  ) => of.reduce((total, row) => total + (row[name] ?? 0), 0)
  return {
    steps: {
      total: sum('steps', states),
      states: Object.fromEntries(states.map(({ state, steps }) => [state, steps])),
    },
    exports: new Set(included.flatMap((row) => row.exports)).size,
    windows: sum('windows'),
    causes: { missing: sum('missing'), failed: sum('failed'), short: sum('short'), skipped: sum('skipped') },
    skipped_by_pause: sum('skipped', states),
    rows_expected: included.some((row) => row.rows_expected !== null) ? sum('rows_expected') : null,
    seconds_expected: included.every((row) => row.seconds_expected !== null) ? sum('seconds_expected') : null,
    sent: sum('sent'),
    finished: sum('finished'),
    proven: sum('proven'),
    unreadable: sum('unreadable'),
  }
}

/** Leaves out steps that have not begun, or includes them again. */
export async function changeSteps(
  transaction: StoreTransaction,
  planId: string,
  change: { leaveOut: readonly number[]; include: readonly number[] },
): Promise<void> {
  const { leaveOut, include } = change
  await sql`
    UPDATE repair_steps SET state = CASE WHEN number = ANY (${include}::integer[]) THEN 'planned' ELSE 'left_out' END
    WHERE plan_id = ${planId} AND state IN ('planned', 'left_out')
      AND (number = ANY (${leaveOut}::integer[]) OR number = ANY (${include}::integer[]))`.execute(
    transaction,
  )
}

/** Seconds and rows of a run of an export: the median, and the mean, of its last completed windows. */
export type UsualRun = { id: string; seconds: number; rows: number }

/** Returns what runs of exports usually take; exports without a completed window are absent. */
export async function usualRuns(store: Store, batchExportIds: readonly string[]) {
  const { rows } = await sql<UsualRun>`
    SELECT id, seconds, rows FROM unnest(${batchExportIds}::uuid[]) AS export (id) CROSS JOIN LATERAL (
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - started_at)) AS seconds,
        avg(records_completed)::double precision AS rows FROM (
        SELECT finished_at, started_at, records_completed FROM batch_export_runs
        WHERE batch_export_id = export.id AND status = 'Completed' AND started_at IS NOT NULL
        ORDER BY data_interval_end DESC LIMIT 20) AS recent) AS usual
    WHERE seconds IS NOT NULL`.execute(store)
  return new Map(rows.map((row) => [row.id, row]))
}
