import { sql, type RawBuilder, type Updateable } from 'kysely'
import type { Services } from '../services.ts'
import { rowsOf, type StoreTransaction } from '../store/schema/database.ts'
import type { SessionRecordingsTable } from '../store/schema/recording-tables.ts'
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

/** Like `deleteRecordings`, also for recordings that a bulk action has hidden: no undo can restore them. */
export async function eraseRecordings(services: DeletingServices, ids: readonly number[]): Promise<void> {
  await deleteRecordings(services, ids)
  await removeContent(services, await markDeleted(services, ids, { hidden: true }))
}

/** Completes a batch of interrupted deletions; resolves to the number found. */
export async function finishDeletions(services: DeletingServices): Promise<number> {
  const unfinished = await rowsOf<Recording>(services.store)`
    SELECT id, project_id, session_id FROM session_recordings recording
    WHERE deleted_at IS NOT NULL AND deleted_by IS NULL
      AND EXISTS (SELECT FROM session_recording_blocks WHERE recording_id = recording.id) LIMIT ${batchMax}`
  await removeContent(services, unfinished)
  return unfinished.length
}

/** Hides recordings for a bulk action, whose undo can restore them; returns the sessions of those that still existed. */
export async function hideRecordings(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  recordings: HiddenRecordings,
) {
  const changes = sql`deleted_at = ${new Date(clock.now())}, deleted_by = ${recordings.bulkActionId}`
  return await updateInOrder(transaction, recordings, sql`deleted_at IS NULL`, changes)
}

/** Restores recordings that a bulk action has hidden; returns their sessions. */
export async function restoreRecordings(transaction: StoreTransaction, recordings: HiddenRecordings) {
  const hidden = sql`deleted_by = ${recordings.bulkActionId}`
  return await updateInOrder(transaction, recordings, hidden, sql`deleted_at = NULL, deleted_by = NULL`)
}

/** Updates those recordings that meet the condition, locked in the order of their sessions; returns their sessions. */
async function updateInOrder(
  transaction: StoreTransaction,
  { projectId, sessionIds }: HiddenRecordings,
  condition: RawBuilder<unknown>,
  changes: RawBuilder<unknown>,
) {
  // Locks the project's count before its recordings, in the same order as `lockCounts`.
  await rowsOf(transaction)`SELECT FROM session_recording_counts WHERE project_id = ${projectId} FOR UPDATE`
  const rows = await rowsOf<{ session_id: string }>(transaction)`
    WITH found AS (
      SELECT id FROM session_recordings
      WHERE project_id = ${projectId} AND session_id = ANY (${sessionIds}::text[]) AND ${condition}
      ORDER BY session_id FOR UPDATE)
    UPDATE session_recordings SET ${changes} WHERE id IN (SELECT id FROM found) RETURNING session_id`
  return rows.map((row) => row.session_id)
}

/** Removes the content of a batch of hidden recordings that no undo can restore any more; resolves to the number found. */
export async function removeHidden(services: DeletingServices): Promise<number> {
  const { store, clock } = services
  const rows = await rowsOf<{ id: number }>(store)`
    SELECT id FROM session_recordings recording WHERE deleted_by IS NOT NULL AND NOT EXISTS (
      SELECT FROM bulk_actions WHERE bulk_actions.id = recording.deleted_by
        AND (status IN ('Running', 'Undoing') OR undo_until > ${new Date(clock.now())}))
    LIMIT ${batchMax}`
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await removeContent(services, await markDeleted(services, ids, { hidden: true }))
  return ids.length
}

type HiddenRecordings = { projectId: number; sessionIds: readonly string[]; bulkActionId: string }

/**
 * Removes a batch of the recordings, including their rows, that started or arrived before `time` and are not persisted;
 * resolves to the number found. Also removes rows of deleted recordings: no browser sends data that late.
 */
export async function removeRecordingsBefore(services: DeletingServices, time: Date): Promise<number> {
  const { store } = services
  // The primary key quickly finds the oldest by either time.
  const expired = await rowsOf<{ id: number }>(store)`
    SELECT id FROM session_recordings WHERE persisted_at IS NULL AND deleted_by IS NULL
      AND (start_time < ${time} OR created_at < ${time}) ORDER BY id LIMIT ${batchMax}`
  if (expired.length === 0) return 0
  const ids = expired.map(({ id }) => id)
  await markDeleted(services, ids, { keepPersisted: true })
  const deleted = sql`FROM session_recordings WHERE id = ANY (${ids}::bigint[]) AND deleted_at IS NOT NULL`
  await removeContent(services, await rowsOf<Recording>(store)`SELECT id, project_id, session_id ${deleted}`)
  await sql`DELETE ${deleted}`.execute(store)
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
    const locked = await rowsOf<{ id: number }>(transaction)`
      SELECT id FROM session_recordings WHERE id = ANY (${ids}::bigint[])
        AND ${hidden ? sql`deleted_by IS NOT NULL` : sql`deleted_at IS NULL`} AND (NOT ${keepPersisted} OR persisted_at IS NULL)
      ORDER BY project_id, session_id FOR UPDATE`
    const found = locked.map(({ id }) => id)
    if (found.length === 0) return []
    for (const table of tablesOfRecordings)
      await transaction.deleteFrom(table).where('recording_id', 'in', found).execute()
    return await transaction
      .updateTable('session_recordings')
      .set({ ...noContent, deleted_at: new Date(clock.now()), deleted_by: null })
      .where('id', 'in', found)
      .returning(['id', 'project_id', 'session_id'])
      .execute()
  })
}

/** Tables whose rows are deleted with their recording. */
const tablesOfRecordings = [
  'session_recording_summaries',
  'recording_facts',
  'recording_notes',
  'recording_collection_items',
  'recording_watchers',
  'session_recording_sharing',
] as const

/** Locks the counts first, as capture does before locking recordings; the opposite order could deadlock. */
async function lockCounts(transaction: StoreTransaction, ids: readonly number[]) {
  await sql`SELECT FROM session_recording_counts
    WHERE project_id IN (SELECT project_id FROM session_recordings WHERE id = ANY (${ids}::bigint[]))
    ORDER BY project_id FOR UPDATE`.execute(transaction)
}

/** Columns that a deleted recording keeps; every other column must be named in `noContent`. */
type KeptColumn =
  | 'id'
  | 'project_id'
  | 'session_id'
  | 'snapshot_source'
  | 'start_time'
  | 'end_time'
  | 'block_count'
  | 'created_at'
  | 'last_updated_at'
  | 'deleted_at'
  | 'deleted_by'
  | 'asset_block_count'
  | 'asset_search_at'

const noContent: Required<Omit<Updateable<SessionRecordingsTable>, KeptColumn>> = {
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
      `session_entries WHERE level != 'exception' AND`,
      'session_failed_requests WHERE',
      'session_paths WHERE',
      'session_steps WHERE',
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
