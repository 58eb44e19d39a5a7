import { sql, type Selectable } from 'kysely'
import { statusesInProgress } from '../../../contract/runs/run-status.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { BackfillsTable } from '../schema/export-tables.ts'
import { keysetPage, type PagePosition } from '../schema/keyset-page.ts'

export type BackfillRow = Selectable<BackfillsTable>

/** Counts the runs of each backfill that have ended. */
export async function finishedRuns(store: Store, backfillIds: readonly string[]) {
  const rows = await rowsOf<{ id: string; count: number }>(store)`
    SELECT backfill_id AS id, count(*) AS count FROM batch_export_runs
    WHERE backfill_id = ANY (${backfillIds}::uuid[]) AND status <> ALL (${statusesInProgress}::text[]) GROUP BY 1`
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Returns a page of an export's backfills, newest first; null if the position's row is not among them. */
export function pageOfBackfills(store: Store, batchExportId: string, position: PagePosition | null) {
  const among = sql`batch_export_id = ${batchExportId}`
  return keysetPage<BackfillRow>(store, { from: sql`batch_export_backfills`, among, position })
}
