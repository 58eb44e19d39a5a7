import { sql, type Selectable } from 'kysely'
import type { BulkActionName } from '../../../contract/bulk-action.ts'
import type { BulkActionsTable, BulkItemsTable } from '../schema/bulk-tables.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import { keysetPage, type PagePosition } from '../schema/keyset-page.ts'
import { findRows, updateRow, updateRows } from '../schema/rows.ts'

export type BulkActionRow = Selectable<BulkActionsTable>
export type BulkItem = Pick<Selectable<BulkItemsTable>, 'number' | 'object_id' | 'undo'>

/** Returns a page of a project's bulk actions of these kinds, newest first; null if the position's row is not among them. */
export function pageOfBulkActions(
  store: Store,
  projectId: number,
  kinds: readonly BulkActionName[],
  position: PagePosition | null,
) {
  const among = sql`project_id = ${projectId} AND action = ANY (${kinds}::text[])`
  return keysetPage<BulkActionRow>(store, { from: sql`bulk_actions`, among, position })
}

export function failuresOf(store: Store, id: string, limit: number) {
  const failed = { bulk_action_id: id, status: ['Failed', 'NotUndone'] as const }
  return findRows(store, 'bulk_action_items', failed, sql`ORDER BY status, number LIMIT ${limit}`)
}

/** Ends a running action; undefined if it is not running. Waits for the objects in progress. */
export function cancelBulkAction(
  store: Store,
  id: string,
  times: Pick<BulkActionRow, 'finished_at' | 'undo_until'>,
): Promise<BulkActionRow | undefined> {
  return updateRow(store, 'bulk_actions', { id, status: 'Running' }, { ...times, status: 'Cancelled' })
}

/** Starts to undo an action, even a running one; undefined if that is no longer possible. */
export async function startUndo(store: Store, id: string, now: Date): Promise<BulkActionRow | undefined> {
  const [started] = await rowsOf<BulkActionRow>(store)`
    UPDATE bulk_actions SET status = 'Undoing', finished_at = NULL, undo_until = NULL
    WHERE id = ${id} AND (status = 'Running' OR status IN ('Completed', 'Cancelled') AND undo_until > ${now})
    RETURNING *`
  return started
}

/**
 * Locks the oldest action in progress that no other process works on, except those of `except`; the lock ends with the
 * transaction.
 */
export async function lockBulkAction(transaction: StoreTransaction, except: readonly string[]) {
  const { rows } = await sql<BulkActionRow>`
    SELECT * FROM bulk_actions WHERE status IN ('Running', 'Undoing') AND id <> ALL (${except}::uuid[])
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(transaction)
  return rows[0]
}

/** Returns the next objects of an action: of an undo, those changed last come first. */
export function nextItems(
  transaction: StoreTransaction,
  { id, status }: Pick<BulkActionRow, 'id' | 'status'>,
  limit: number,
): Promise<BulkItem[]> {
  const [next, order] =
    status === 'Undoing' ? (['Done', sql`DESC`] as const) : (['Pending', sql`ASC`] as const)
  const items = { bulk_action_id: id, status: next }
  return findRows(transaction, 'bulk_action_items', items, sql`ORDER BY number ${order} LIMIT ${limit}`)
}

export type ItemResult = {
  number: number
  status: Exclude<BulkItemsTable['status'], 'Pending'>
  reason: string | null
  undo: unknown
}

/** Records the results of objects, and counts them. */
export async function writeResults(
  transaction: StoreTransaction,
  id: string,
  results: readonly ItemResult[],
): Promise<void> {
  await sql`
    UPDATE bulk_action_items AS item SET status = result.status, reason = result.reason, undo = result.undo
    FROM unnest(${results.map(({ number }) => number)}::integer[], ${results.map(({ status }) => status)}::text[],
      ${results.map(({ reason }) => reason)}::text[],
      ${results.map(({ undo }) => (undo === null || undo === undefined ? null : JSON.stringify(undo)))}::jsonb[])
      AS result (number, status, reason, undo)
    WHERE item.bulk_action_id = ${id} AND item.number = result.number`.execute(transaction)
  const countOf = (...statuses: ItemResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length
  await sql`
    UPDATE bulk_actions SET done = done + ${countOf('Done', 'Unchanged')}, unchanged = unchanged + ${countOf('Unchanged')},
      failed = failed + ${countOf('Failed')}, undone = undone + ${countOf('Undone')},
      not_undone = not_undone + ${countOf('NotUndone')}
    WHERE id = ${id}`.execute(transaction)
}

/** Records that the remaining objects of an action in progress fail, and counts them. */
export async function failRemaining(
  transaction: StoreTransaction,
  { id, status }: Pick<BulkActionRow, 'id' | 'status'>,
  reason: string,
): Promise<void> {
  const isUndo = status === 'Undoing'
  const items = { bulk_action_id: id, status: isUndo ? ('Done' as const) : ('Pending' as const) }
  const change = { status: isUndo ? ('NotUndone' as const) : ('Failed' as const), reason, undo: null }
  const failed = await updateRows(transaction, 'bulk_action_items', items, change)
  const counted = sql.ref(isUndo ? 'not_undone' : 'failed')
  await sql`UPDATE bulk_actions SET ${counted} = ${counted} + ${failed} WHERE id = ${id}`.execute(transaction)
}

/** Deletes actions that ended before `time`. */
export async function deleteBulkActionsBefore(store: Store, time: Date): Promise<void> {
  await sql`DELETE FROM bulk_actions
    WHERE status NOT IN ('Running', 'Undoing') AND finished_at < ${time}`.execute(store)
}
