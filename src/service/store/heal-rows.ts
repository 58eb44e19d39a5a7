import { sql } from 'kysely'
import type { Window } from '../../contract/interval.ts'
import type { BatchExportRow } from './batch-exports.ts'
import type { Store } from './database.ts'
import { lockHealPlan, type HealStepRow } from './heal-plans.ts'

/** A step with its period (milliseconds) and the settings that select its rows. */
export type CountedStep = Window &
  Pick<HealStepRow, 'number' | 'selects_by'> & {
    source: Pick<BatchExportRow, 'project_id' | 'model' | 'hogql_query' | 'destination_config' | 'interval'>
  }

/** Returns the ids of the plans whose rows are not counted yet, oldest first. */
export async function plansToCount(store: Store): Promise<string[]> {
  const plans = store.selectFrom('heal_plans').select('id').where('rows_counted', '=', false)
  return (await plans.orderBy('created_at').execute()).map(({ id }) => id)
}

export async function sourcesOfPlan(store: Store, id: string): Promise<CountedStep[]> {
  const { rows } = await sql<CountedStep>`
    SELECT number, selects_by, date_part('epoch', step.start_at) * 1000 AS start, date_part('epoch', step.end_at) * 1000 AS end,
      jsonb_build_object('project_id', project_id, 'model', model, 'hogql_query', hogql_query, 'interval', interval,
        'destination_config', jsonb_build_object('include_events', destination_config -> 'include_events',
          'exclude_events', destination_config -> 'exclude_events')) AS source
    FROM heal_steps step JOIN batch_exports ON batch_exports.id = batch_export_id
    WHERE plan_id = ${id} ORDER BY number`.execute(store)
  return rows
}

/** Stores the counted rows of a plan's steps; those of other steps remain unknown. */
export async function storeRows(
  store: Store,
  id: string,
  counted: readonly { number: number; rows: number }[],
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    // Before the steps, as whoever moves the plan on does: in the other order, each could wait for the other.
    await lockHealPlan(transaction, id)
    await sql`UPDATE heal_steps step SET rows_expected = counted.rows
      FROM unnest(${counted.map(({ number }) => number)}::integer[], ${counted.map(({ rows }) => rows)}::bigint[])
        AS counted (number, rows)
      WHERE plan_id = ${id} AND step.number = counted.number`.execute(transaction)
    await transaction.updateTable('heal_plans').set({ rows_counted: true }).where('id', '=', id).execute()
  })
}
