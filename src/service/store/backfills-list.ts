import { sql, type Selectable } from 'kysely'
import type { BackfillsTable, Store } from './database.ts'
import { keysetPage, type KeysetPage, type Position } from './keyset-page.ts'

export type BackfillRow = Selectable<BackfillsTable>

const backfillsPageSize = 50

/** One page of an export's backfills, newest first; null when the position names none of them. */
export function pageOfBackfills(
  store: Store,
  batchExportId: string,
  position: Position | null,
): Promise<KeysetPage<BackfillRow> | null> {
  const query = store
    .selectFrom('batch_export_backfills')
    .selectAll()
    .where('batch_export_id', '=', batchExportId)
  return keysetPage({
    position,
    size: backfillsPageSize,
    descending: true,
    anchor: async (id) => (await findBackfill(store, batchExportId, id)) !== undefined,
    rows: (from) => {
      const bounded = from.anchor
        ? query.where(
            sql<boolean>`(created_at, id) ${sql.raw(from.comparison)} (SELECT created_at, id FROM batch_export_backfills WHERE id = ${from.anchor})`,
          )
        : query
      return bounded
        .orderBy('created_at', from.direction)
        .orderBy('id', from.direction)
        .limit(from.limit)
        .execute()
    },
  })
}

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

/** How many runs of each backfill have reached their end. */
export async function finishedRuns(
  store: Store,
  backfillIds: readonly string[],
): Promise<Map<string, number>> {
  if (backfillIds.length === 0) return new Map()
  const rows = await store
    .selectFrom('batch_export_runs')
    .select(['backfill_id', (select) => select.fn.countAll<number>().as('count')])
    .where('backfill_id', 'in', backfillIds)
    .where('status', 'not in', ['Starting', 'Running', 'FailedRetryable'])
    .groupBy('backfill_id')
    .execute()
  return new Map(rows.flatMap((row) => (row.backfill_id ? [[row.backfill_id, row.count]] : [])))
}
