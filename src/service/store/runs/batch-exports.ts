import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { preparedRowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { BatchExportsTable } from '../schema/export-tables.ts'
import { countOf, findRow, findRows, insertRow, updateRow, updateRows, type Page } from '../schema/rows.ts'
import { noteDays } from './day-changes.ts'
import { latestRunsVersion } from './runs-list.ts'

export type BatchExportRow = Selectable<BatchExportsTable>
export type DestinationColumns = Pick<
  BatchExportRow,
  'destination_type' | 'destination_config' | 'destination_secrets' | 'integration_id' | 'integration_config'
>

export function insertBatchExport(store: Store, row: Insertable<BatchExportsTable>): Promise<BatchExportRow> {
  return insertRow(store, 'batch_exports', row)
}

/** Finds a batch export of these projects, unless it has been deleted; `id` must be a UUID. */
export function findBatchExport(store: Store, projectIds: readonly number[], id: string) {
  return findRow(store, 'batch_exports', { id, project_id: projectIds, deleted_at: null })
}

/** Like `findBatchExport`, with the row locked until the transaction ends. */
export function lockBatchExport(transaction: StoreTransaction, projectIds: readonly number[], id: string) {
  const undeleted = { id, project_id: projectIds, deleted_at: null }
  return findRow(transaction, 'batch_exports', undeleted, sql`FOR NO KEY UPDATE`)
}

/** Returns all batch exports of a project, by name; with `ids`, only these. */
export function exportsByName(store: Store, projectId: number, ids: readonly string[] | null = null) {
  const undeleted = { project_id: projectId, deleted_at: null, ...(ids && { id: ids }) }
  return findRows(store, 'batch_exports', undeleted, sql`ORDER BY name, id`)
}

/** Returns a batch export, deleted or not. */
export async function anyBatchExport(store: Store, id: string): Promise<BatchExportRow> {
  const row = await findRow(store, 'batch_exports', { id })
  if (!row) throw new Error(`there is no batch export ${id}`)
  return row
}

/** `version` changes with the export's row and its newest runs. `is_applied`: whether a file has applied settings to it. */
export type ListedExport = { id: string; version: string; is_applied: boolean }

/** Returns a page of batch exports, newest first, and the total count. */
export async function pageOfBatchExports(
  store: Store,
  projectIds: readonly number[],
  { limit, offset }: Page,
): Promise<{ count: number; rows: ListedExport[] }> {
  const undeleted = sql`batch_exports WHERE project_id = ANY (${projectIds}::integer[]) AND deleted_at IS NULL`
  const newestFirst = sql`ORDER BY created_at DESC, id DESC`
  const [rows, count] = await Promise.all([
    // The page is a subquery; otherwise PostgreSQL would compute the runs' version for skipped rows too.
    preparedRowsOf<ListedExport>(store)`SELECT id, row_version || ${latestRunsVersion} AS version,
      EXISTS (SELECT FROM batch_export_definitions WHERE batch_export_id = id) AS is_applied FROM (
      SELECT id, created_at, ctid::text || xmin::text AS row_version FROM ${undeleted}
      ${newestFirst} LIMIT ${limit} OFFSET ${offset}) AS batch_exports
      ${newestFirst}`,
    countOf(store, undeleted),
  ])
  return { count, rows }
}

/** Columns on which the states of windows depend. */
const scheduleColumns = ['interval', 'start_at', 'end_at', 'scheduled_until', 'paused'] as const

export async function updateBatchExport(
  store: Store,
  row: Pick<BatchExportRow, 'id' | 'project_id'>,
  change: Updateable<BatchExportsTable>,
): Promise<BatchExportRow> {
  if (scheduleColumns.some((column) => column in change)) await noteDays(store, row.id)
  const changed = await updateRow(store, 'batch_exports', { id: row.id, project_id: row.project_id }, change)
  if (!changed) throw new Error(`there is no batch export ${row.id}`)
  return changed
}

/** Moves the schedule of an export past the windows that have got their runs. */
export async function moveCursor(
  transaction: StoreTransaction,
  { id, scheduled_until: from }: Pick<BatchExportRow, 'id' | 'scheduled_until'>,
  until: number,
): Promise<void> {
  await noteDays(transaction, id, { start: from.getTime(), end: until })
  await updateRows(transaction, 'batch_exports', { id }, { scheduled_until: new Date(until) })
}
