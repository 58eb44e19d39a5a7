import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { BatchExportsTable, Store, StoreTransaction } from './database.ts'

export type BatchExportRow = Selectable<BatchExportsTable>

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

/** Newest first, and how many there are in all. */
export async function pageOfBatchExports(
  store: Store,
  projectIds: readonly number[],
  page: Page,
): Promise<{ count: number; rows: BatchExportRow[] }> {
  const [rows, total] = await Promise.all([
    living(store, projectIds)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
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
