import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Store, StoreTransaction } from '../schema/database.ts'
import type { BatchExportsTable } from '../schema/export-tables.ts'
import { noteDays } from './day-changes.ts'
import { latestRunsVersion } from './runs-list.ts'

export type BatchExportRow = Selectable<BatchExportsTable>
export type DestinationColumns = Pick<
  BatchExportRow,
  'destination_type' | 'destination_config' | 'destination_secrets'
>

export function insertBatchExport(store: Store, row: Insertable<BatchExportsTable>): Promise<BatchExportRow> {
  return store.insertInto('batch_exports').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Finds a batch export of these projects, unless it has been deleted; `id` must be a UUID. */
export function findBatchExport(
  store: Store,
  projectIds: readonly number[],
  id: string,
): Promise<BatchExportRow | undefined> {
  return undeleted(store, projectIds).where('id', '=', id).executeTakeFirst()
}

/** Like `findBatchExport`, with the row locked until the transaction ends. */
export function lockBatchExport(
  transaction: StoreTransaction,
  projectIds: readonly number[],
  id: string,
): Promise<BatchExportRow | undefined> {
  return undeleted(transaction, projectIds).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Returns those of the ids (UUIDs) that are batch exports of the project. */
export async function existingExports(
  store: Store,
  projectId: number,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await undeleted(store, [projectId])
    .clearSelect()
    .select('id')
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns all batch exports of a project, by name; with `ids`, only these. */
export function exportsByName(
  store: Store,
  projectId: number,
  ids: readonly string[] | null = null,
): Promise<BatchExportRow[]> {
  return undeleted(store, [projectId])
    .$if(ids !== null, (rows) => rows.where(sql<boolean>`id = ANY (${ids}::uuid[])`))
    .orderBy('name')
    .orderBy('id')
    .execute()
}

export type Page = { limit: number; offset: number }

export type ListedExport = BatchExportRow & { runs_version: string }

/** Returns a page of batch exports, newest first, with the version of their newest runs, and the total count. */
export async function pageOfBatchExports(
  store: Store,
  projectIds: readonly number[],
  { limit, offset }: Page,
): Promise<{ count: number; rows: ListedExport[] }> {
  const page = undeleted(store, projectIds)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  const [rows, total] = await Promise.all([
    // The page is a subquery; otherwise PostgreSQL would compute the runs' version for skipped rows too.
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
      .where(inProjects(projectIds))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { count: total.count, rows }
}

/** Columns on which the states of windows depend. */
const scheduleColumns = ['interval', 'start_at', 'end_at', 'scheduled_until', 'paused'] as const

export async function updateBatchExport(
  store: Store,
  row: Pick<BatchExportRow, 'id' | 'project_id'>,
  change: Updateable<BatchExportsTable>,
): Promise<BatchExportRow> {
  if (scheduleColumns.some((column) => column in change)) await noteDays(store, row.id)
  return await store
    .updateTable('batch_exports')
    .set(change)
    .where('id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Moves the schedule of an export past the windows that have got their runs. */
export async function moveCursor(
  transaction: StoreTransaction,
  { id, scheduled_until: from }: Pick<BatchExportRow, 'id' | 'scheduled_until'>,
  until: number,
): Promise<void> {
  await noteDays(transaction, id, { start: from.getTime(), end: until })
  await transaction
    .updateTable('batch_exports')
    .set({ scheduled_until: new Date(until) })
    .where('id', '=', id)
    .execute()
}

function undeleted(store: Store, projectIds: readonly number[]) {
  return store
    .selectFrom('batch_exports')
    .selectAll()
    .where(inProjects(projectIds))
    .where('deleted_at', 'is', null)
}

/** Accepts an empty list, unlike `in`. */
function inProjects(projectIds: readonly number[]) {
  return sql<boolean>`project_id = ANY (${projectIds}::integer[])`
}
