import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { BatchExportsTable, Store, StoreTransaction } from './database.ts'
import { latestRunsVersion } from './runs-list.ts'

export type BatchExportRow = Selectable<BatchExportsTable>
export type DestinationColumns = Pick<
  BatchExportRow,
  'destination_type' | 'destination_config' | 'destination_secrets'
>

export function insertBatchExport(store: Store, row: Insertable<BatchExportsTable>): Promise<BatchExportRow> {
  return store.insertInto('batch_exports').values(row).returningAll().executeTakeFirstOrThrow()
}

/** One batch export of these projects that has not been deleted; `id` must be a UUID. */
export function findBatchExport(
  store: Store,
  projectIds: readonly number[],
  id: string,
): Promise<BatchExportRow | undefined> {
  return living(store, projectIds).where('id', '=', id).executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export function lockBatchExport(
  transaction: StoreTransaction,
  projectIds: readonly number[],
  id: string,
): Promise<BatchExportRow | undefined> {
  return living(transaction, projectIds).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export type Page = { limit: number; offset: number }

export type ListedExport = BatchExportRow & { runs_version: string }

/** Newest first, each with the version of its newest runs, and how many there are in all. */
export async function pageOfBatchExports(
  store: Store,
  projectIds: readonly number[],
  { limit, offset }: Page,
): Promise<{ count: number; rows: ListedExport[] }> {
  const page = living(store, projectIds)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  const [rows, total] = await Promise.all([
    // From a page made before: otherwise those that the offset skips are looked at as well.
    store
      .selectFrom(page.as('batch_exports'))
      .selectAll()
      .select(latestRunsVersion.as('runs_version'))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
    store
      .selectFrom('batch_exports')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where(among(projectIds))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { count: total.count, rows }
}

export function updateBatchExport(
  store: Store,
  row: Pick<BatchExportRow, 'id' | 'project_id'>,
  change: Updateable<BatchExportsTable>,
): Promise<BatchExportRow> {
  return store
    .updateTable('batch_exports')
    .set(change)
    .where('id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function living(store: Store, projectIds: readonly number[]) {
  return store
    .selectFrom('batch_exports')
    .selectAll()
    .where(among(projectIds))
    .where('deleted_at', 'is', null)
}

/** Takes an empty list, which `in` does not. */
function among(projectIds: readonly number[]) {
  return sql<boolean>`project_id = ANY (${projectIds}::integer[])`
}
