import { sql, type RawBuilder } from 'kysely'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import type { RecordingRow } from '../store/recordings/session-recordings.ts'
import { deleteAssets } from './assets/delete-assets.ts'
import { blockFolder } from '../snapshots/blocks.ts'

export type DeletingServices = Pick<Services, 'store' | 'clock' | 'objects' | 'warehouse'>
type Recording = Pick<RecordingRow, 'id' | 'project_id' | 'session_id'>

const batchMax = 100

/**
 * Deletes recordings with all their content; resolves to the number that still existed. Their rows stay, empty, so that
 * late data is dropped. `finishDeletions` completes deletions interrupted by a crash.
 */
export async function deleteRecordings(services: DeletingServices, ids: readonly number[]): Promise<number> {
  const marked = await markDeleted(services, ids)
  await removeContent(services, marked)
  return marked.length
}

/** Completes a batch of interrupted deletions; resolves to the number found. */
export async function finishDeletions(services: DeletingServices): Promise<number> {
  const unfinished = await services.store
    .selectFrom('session_recordings as recording')
    .select(['id', 'project_id', 'session_id'])
    .where('deleted_at', 'is not', null)
    .where('deleted_by', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('session_recording_blocks').select('number').whereRef('recording_id', '=', 'recording.id'),
      ),
    )
    .limit(batchMax)
    .execute()
  await removeContent(services, unfinished)
  return unfinished.length
}

/** Hides recordings for a bulk action, whose undo can restore them; returns the sessions of those that still existed. */
export async function hideRecordings(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  recordings: HiddenRecordings,
): Promise<string[]> {
  const changes = sql`deleted_at = ${new Date(clock.now())}, deleted_by = ${recordings.bulkActionId}`
  return await updateInOrder(transaction, recordings, sql`deleted_at IS NULL`, changes)
}

/** Restores recordings that a bulk action has hidden; returns their sessions. */
export async function restoreRecordings(
  transaction: StoreTransaction,
  recordings: HiddenRecordings,
): Promise<string[]> {
  const hidden = sql`deleted_by = ${recordings.bulkActionId}`
  return await updateInOrder(transaction, recordings, hidden, sql`deleted_at = NULL, deleted_by = NULL`)
}

/** Updates those recordings that meet the condition, locked in the order of their sessions; returns their sessions. */
async function updateInOrder(
  transaction: StoreTransaction,
  { projectId, sessionIds }: HiddenRecordings,
  condition: RawBuilder<unknown>,
  changes: RawBuilder<unknown>,
): Promise<string[]> {
  await lockCount(transaction, projectId)
  const { rows } = await sql<{ session_id: string }>`
    WITH found AS (
      SELECT id FROM session_recordings
      WHERE project_id = ${projectId} AND session_id = ANY (${sessionIds}::text[]) AND ${condition}
      ORDER BY session_id FOR UPDATE)
    UPDATE session_recordings SET ${changes} WHERE id IN (SELECT id FROM found) RETURNING session_id`.execute(
    transaction,
  )
  return rows.map((row) => row.session_id)
}

/** Removes the content of a batch of hidden recordings that no undo can restore any more; resolves to the number found. */
export async function removeHidden(services: DeletingServices): Promise<number> {
  const { store, clock } = services
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM session_recordings recording WHERE deleted_by IS NOT NULL AND NOT EXISTS (
      SELECT FROM bulk_actions WHERE bulk_actions.id = recording.deleted_by
        AND (status IN ('Running', 'Undoing') OR undo_until > ${new Date(clock.now())}))
    LIMIT ${batchMax}`.execute(store)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await removeContent(services, await markDeleted(services, ids, { hidden: true }))
  return ids.length
}

type HiddenRecordings = { projectId: number; sessionIds: readonly string[]; bulkActionId: string }

/** Locks the project's count before its recordings, in the same order as `lockCounts`. */
async function lockCount(transaction: StoreTransaction, projectId: number): Promise<void> {
  await sql`SELECT FROM session_recording_counts WHERE project_id = ${projectId} FOR UPDATE`.execute(
    transaction,
  )
}

/**
 * Removes a batch of the recordings, including their rows, that started or arrived before `time` and are not persisted;
 * resolves to the number found. Also removes rows of deleted recordings: no browser sends data that late.
 */
export async function removeRecordingsBefore(services: DeletingServices, time: Date): Promise<number> {
  const { store } = services
  const expired = await store
    .selectFrom('session_recordings')
    .select('id')
    .where('persisted_at', 'is', null)
    .where('deleted_by', 'is', null)
    .where((where) => where.or([where('start_time', '<', time), where('created_at', '<', time)]))
    // The primary key quickly finds the oldest by either time.
    .orderBy('id')
    .limit(batchMax)
    .execute()
  if (expired.length === 0) return 0
  const ids = expired.map(({ id }) => id)
  await markDeleted(services, ids, { keepPersisted: true })
  const deleted = await store
    .selectFrom('session_recordings')
    .select(['id', 'project_id', 'session_id'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is not', null)
    .execute()
  await removeContent(services, deleted)
  await store
    .deleteFrom('session_recordings')
    .where('id', 'in', ids)
    .where('deleted_at', 'is not', null)
    .execute()
  return expired.length
}

/**
 * Marks recordings as deleted, which hides them at once; with `hidden`, only those that a bulk action has hidden. Their
 * block rows remain until the content is removed.
 */
function markDeleted(
  { store, clock }: DeletingServices,
  ids: readonly number[],
  { keepPersisted = false, hidden = false } = {},
): Promise<Recording[]> {
  return store.transaction().execute(async (transaction) => {
    await lockCounts(transaction, ids)
    const locked = await transaction
      .selectFrom('session_recordings')
      .select('id')
      .where('id', 'in', [...ids])
      .where(hidden ? 'deleted_by' : 'deleted_at', hidden ? 'is not' : 'is', null)
      .$if(keepPersisted, (query) => query.where('persisted_at', 'is', null))
      .orderBy('project_id')
      .orderBy('session_id')
      .forUpdate()
      .execute()
    const found = locked.map(({ id }) => id)
    if (found.length === 0) return []
    await transaction.deleteFrom('session_recording_summaries').where('recording_id', 'in', found).execute()
    await transaction.deleteFrom('recording_facts').where('recording_id', 'in', found).execute()
    await transaction.deleteFrom('recording_notes').where('recording_id', 'in', found).execute()
    await transaction.deleteFrom('recording_collection_items').where('recording_id', 'in', found).execute()
    await transaction.deleteFrom('recording_watchers').where('recording_id', 'in', found).execute()
    await transaction.deleteFrom('session_recording_sharing').where('recording_id', 'in', found).execute()
    return await transaction
      .updateTable('session_recordings')
      .set({ ...noContent, deleted_at: new Date(clock.now()), deleted_by: null })
      .where('id', 'in', found)
      .returning(['id', 'project_id', 'session_id'])
      .execute()
  })
}

/** Locks the counts first, as capture does before locking recordings; the opposite order could deadlock. */
async function lockCounts(transaction: StoreTransaction, ids: readonly number[]): Promise<void> {
  await transaction
    .selectFrom('session_recording_counts')
    .select('count')
    .where('project_id', 'in', ({ selectFrom }) =>
      selectFrom('session_recordings')
        .select('project_id')
        .where('id', 'in', [...ids]),
    )
    .orderBy('project_id')
    .forUpdate()
    .execute()
}

const noContent = {
  distinct_id: '',
  visitor_words: null,
  start_url: '',
  start_url_at: null,
  activity: [],
  recording_duration: 0,
  active_seconds: 0,
  inactive_seconds: 0,
  click_count: 0,
  keypress_count: 0,
  mouse_activity_count: 0,
  console_log_count: 0,
  console_warn_count: 0,
  console_error_count: 0,
  failed_request_count: 0,
  dropped_events: null,
  sender_clock: null,
  viewed_at: null,
  persisted_at: null,
  path_made_at: null,
  facts_made_at: null,
  mirrored_at: null,
  asset_bases: null,
}

/** Removes objects and the rows in the warehouse, then the block rows, whose absence marks the deletion as finished. */
async function removeContent(
  { store, objects, warehouse }: DeletingServices,
  recordings: readonly Recording[],
): Promise<void> {
  if (recordings.length === 0) return
  for (const { project_id, session_id } of recordings) {
    const keys = await objects.list(blockFolder(project_id, session_id))
    await Promise.all(keys.map((key) => objects.delete(key)))
  }
  for (const [team, group] of Map.groupBy(recordings, (recording) => recording.project_id)) {
    const sessions = group.map((recording) => recording.session_id)
    // Exceptions are events, which outlive the recording.
    for (const table of [
      `console_entries WHERE level != 'exception' AND`,
      'session_failed_requests WHERE',
      'session_paths WHERE',
      'recordings WHERE',
    ])
      await warehouse.command(
        `DELETE FROM ${table} team_id = {team: Int64} AND session_id IN {sessions: Array(String)}`,
        { params: { team, sessions } },
      )
  }
  const ids = recordings.map(({ id }) => id)
  await deleteAssets({ store, objects }, ids)
  await store.deleteFrom('session_recording_blocks').where('recording_id', 'in', ids).execute()
}
