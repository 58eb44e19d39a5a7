import { sql } from 'kysely'
import type { Window } from '../../../contract/interval.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { findRows, updateRows } from '../schema/rows.ts'
import type { RepairStepRow } from './repair-plans.ts'

/** A step with its period (milliseconds) and the settings that select its rows. */
export type CountedStep = Window &
  Pick<RepairStepRow, 'number' | 'selects_by'> & {
    source: Pick<BatchExportRow, 'project_id' | 'model' | 'hogql_query' | 'destination_config' | 'interval'>
  }

/** Returns the ids of the plans whose rows are not counted yet, oldest first. */
export async function plansToCount(store: Store): Promise<string[]> {
  const plans = await findRows(store, 'repair_plans', { rows_counted: false }, sql`ORDER BY created_at`)
  return plans.map(({ id }) => id)
}

/** Returns the steps of a plan with what is needed to count their rows. */
export async function stepsToCount(store: Store, id: string): Promise<CountedStep[]> {
  return await rowsOf<CountedStep>(store)`
    SELECT number, selects_by, date_part('epoch', step.start_at) * 1000 AS start, date_part('epoch', step.end_at) * 1000 AS end,
      jsonb_build_object('project_id', project_id, 'model', model, 'hogql_query', hogql_query, 'interval', interval,
        'destination_config', jsonb_build_object('include_events', destination_config -> 'include_events',
          'exclude_events', destination_config -> 'exclude_events')) AS source
    FROM repair_steps step JOIN batch_exports ON batch_exports.id = batch_export_id
    WHERE plan_id = ${id} ORDER BY number`
}

/** Stores how many rows the steps of a plan have; for steps that are not given, the number remains unknown. */
export async function storeRowCounts(
  store: Store,
  id: string,
  counted: readonly { number: number; rows: number }[],
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    // Locks the plan before its steps, like everything that continues it: the other order could deadlock.
    await updateRows(transaction, 'repair_plans', { id }, { rows_counted: true })
    await sql`UPDATE repair_steps step SET rows_expected = counted.rows
      FROM unnest(${counted.map(({ number }) => number)}::integer[], ${counted.map(({ rows }) => rows)}::bigint[])
        AS counted (number, rows)
      WHERE plan_id = ${id} AND step.number = counted.number`.execute(transaction)
  })
}
