import { sql } from 'kysely'
import type { Window } from '../../../contract/interval.ts'
import type { Store } from '../schema/database.ts'

/*
 * Days on which the states of an export's windows may have changed. Every function that writes what states follow from notes
 * them in the same transaction, so that no reader of the stored days sees states from before a change. It does not compute
 * the states itself: two transactions that end runs of the same day do not see each other's, and would have to wait.
 */

/** Ends a statement that begins with `WITH changed AS (…)`, which returns intervals of exports: notes their days. */
export const noteChanged = sql`noted AS (
  INSERT INTO batch_export_day_changes (batch_export_id, from_day, until_day)
    SELECT batch_export_id, min(day_of(data_interval_start)), max(day_of(data_interval_end - interval '1 microsecond'))
    FROM changed GROUP BY batch_export_id)`

const everyDay: Window = { start: -Infinity, end: Infinity }

/** Notes the days of a time (milliseconds), both ends included, of one export; by default, all. */
export async function noteDays(store: Store, batchExportId: string, { start, end }: Window = everyDay) {
  await store
    .insertInto('batch_export_day_changes')
    .values({ batch_export_id: batchExportId, from_day: dayOf(start), until_day: dayOf(end) })
    .execute()
}

const dayMs = 86_400_000
const [firstDay, lastDay] = [-2_147_483_648, 2_147_483_647]

/** Returns the day of a time (milliseconds), in days since 1970-01-01 UTC. */
export function dayOf(time: number): number {
  return Math.min(Math.max(Math.floor(time / dayMs), firstDay), lastDay)
}

/** Notes the days before a time of all exports of a project. */
export async function noteDaysBefore(store: Store, projectId: number, before: Date): Promise<void> {
  await sql`INSERT INTO batch_export_day_changes (batch_export_id, from_day, until_day)
    SELECT id, ${firstDay}, ${dayOf(before.getTime())} FROM batch_exports WHERE project_id = ${projectId}`.execute(
    store,
  )
}
