import type { Selectable } from 'kysely'
import { statusesInProgress } from '../../../contract/runs/run-status.ts'
import type { Store } from '../schema/database.ts'
import type { BackfillsTable } from '../schema/export-tables.ts'
import { newestFirst, type KeysetPage, type PagePosition } from '../schema/keyset-page.ts'

export type BackfillRow = Selectable<BackfillsTable>

/** `id` must be a UUID. */
export function findBackfill(
  store: Store,
  batchExportId: string,
  id: string,
): Promise<BackfillRow | undefined> {
  return store
    .selectFrom('batch_export_backfills')
    .selectAll()
    .where('batch_export_id', '=', batchExportId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Counts the runs of each backfill that have ended. */
export async function finishedRuns(
  store: Store,
  backfillIds: readonly string[],
): Promise<Map<string, number>> {
  if (backfillIds.length === 0) return new Map()
  const rows = await store
    .selectFrom('batch_export_runs')
    .select(['backfill_id', (select) => select.fn.countAll<number>().as('count')])
    .where('backfill_id', 'in', backfillIds)
    .where('status', 'not in', statusesInProgress)
    .groupBy('backfill_id')
    .execute()
  return new Map(rows.flatMap((row) => (row.backfill_id ? [[row.backfill_id, row.count]] : [])))
}

const pageSize = 50

/** Returns a page of an export's backfills, newest first; null if the position's row is not among them. */
export function pageOfBackfills(
  store: Store,
  batchExportId: string,
  position: PagePosition | null,
): Promise<KeysetPage<BackfillRow> | null> {
  const listed = store
    .selectFrom('batch_export_backfills')
    .selectAll()
    .where('batch_export_id', '=', batchExportId)
  return newestFirst(listed, { table: 'batch_export_backfills', position, size: pageSize })
}
