import { sql, type Insertable, type Selectable } from 'kysely'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { SessionRecordingBlocksTable, SessionRecordingsTable } from '../schema/recording-tables.ts'
import type { RecordingRow } from './session-recordings.ts'

export type BlockRow = Selectable<SessionRecordingBlocksTable>
export type SessionKey = Pick<RecordingRow, 'project_id' | 'session_id'>

/** State of a session before more of its data is stored. */
type StoredSession = SessionKey & {
  deleted: boolean
  /** Requested items that the session's blocks already contain. */
  repeats: string[]
  sender_clock: RecordingRow['sender_clock']
}

/** Returns which of these items each session already contains; omits sessions without a recording. */
export async function storedSessions(
  store: Store,
  asked: readonly (SessionKey & { items: readonly string[] })[],
) {
  return await rowsOf<StoredSession>(store)`
    SELECT recording.project_id, recording.session_id, recording.deleted_at IS NOT NULL AS deleted, recording.sender_clock,
      ARRAY(SELECT item::text FROM session_recording_blocks block, unnest(block.items) AS item
        WHERE block.recording_id = recording.id AND block.items && asked.items AND item = ANY (asked.items)) AS repeats
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked (project_id integer, session_id text, items uuid[])
    JOIN session_recordings recording USING (project_id, session_id)`
}

/**
 * Locks the recordings of these sessions until the transaction ends, creating missing ones. All callers must pass sessions
 * in the same order, or two of them could deadlock.
 */
export async function lockRecordings(
  transaction: StoreTransaction,
  recordings: readonly Insertable<SessionRecordingsTable>[],
) {
  const rows = JSON.stringify(recordings)
  const columns = sql.join(Object.keys(recordings[0] ?? {}).map((column) => sql.ref(column)))
  await sql`INSERT INTO session_recordings (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::session_recordings, ${rows}::json)
    ON CONFLICT (project_id, session_id) DO NOTHING`.execute(transaction)
  return await rowsOf<RecordingRow>(transaction)`SELECT * FROM session_recordings
    WHERE (project_id, session_id) IN (SELECT project_id, session_id FROM json_populate_recordset(NULL::session_recordings, ${rows}::json))
    ORDER BY project_id, session_id FOR UPDATE`
}

type ListedBlock = Omit<BlockRow, 'recording_id' | 'items'> & {
  /** The stored page at the block's start, unless a later block begins earlier. */
  page: { window_id: string; bytes: number } | null
}

/** Lists a recording's blocks by number. */
export async function listBlocks(store: Store, recordingId: number) {
  return await rowsOf<ListedBlock>(store)`
    SELECT number, object_key, start_time, end_time, block.bytes, full_snapshots, active_windows,
      CASE WHEN window_id IS NOT NULL AND start_time <= min(start_time) OVER (ORDER BY number DESC)
        THEN json_build_object('window_id', window_id, 'bytes', page.bytes) END AS page
    FROM session_recording_blocks block LEFT JOIN session_recording_pages page USING (recording_id, number)
    WHERE recording_id = ${recordingId} ORDER BY number`
}

/** Returns the object keys of a recording's existing blocks with numbers from `first` to `last`, inclusive. */
export async function blockKeys(store: Store, recordingId: number, first: number, last: number) {
  const rows = await rowsOf<Pick<BlockRow, 'object_key'>>(
    store,
  )`SELECT object_key FROM session_recording_blocks
    WHERE recording_id = ${recordingId} AND number BETWEEN ${first} AND ${last} ORDER BY number`
  return rows.map((row) => row.object_key)
}

/** Adds blocks to locked recordings. */
export async function insertBlocks(transaction: StoreTransaction, blocks: readonly BlockRow[]) {
  const rows = JSON.stringify(blocks)
  await sql`INSERT INTO session_recording_blocks
    SELECT * FROM json_populate_recordset(NULL::session_recording_blocks, ${rows}::json)`.execute(transaction)
}

/** Updates locked recordings. All elements of `recordings` must have the same columns. */
export async function updateRecordings(
  transaction: StoreTransaction,
  recordings: readonly (Partial<RecordingRow> & { id: number })[],
) {
  const changed = Object.keys(recordings[0] ?? {}).filter((column) => column !== 'id')
  const changes = changed.map((column) => sql`${sql.ref(column)} = changed.${sql.ref(column)}`)
  await sql`UPDATE session_recordings recording SET ${sql.join(changes)}
    FROM json_populate_recordset(NULL::session_recordings, ${JSON.stringify(recordings)}::json) AS changed
    WHERE recording.id = changed.id`.execute(transaction)
}

/** Counts dropped events of a session that sent nothing else; ignored if the session has no recording. */
export async function addDroppedEvents(store: Store, { project_id, session_id }: SessionKey, count: number) {
  await sql`UPDATE session_recordings SET dropped_events = coalesce(dropped_events, 0) + ${count}
    WHERE project_id = ${project_id} AND session_id = ${session_id} AND deleted_at IS NULL`.execute(store)
}
