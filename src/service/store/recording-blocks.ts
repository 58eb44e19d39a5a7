import { sql, type Insertable } from 'kysely'
import type {
  SessionRecordingBlocksTable,
  SessionRecordingsTable,
  Store,
  StoreTransaction,
} from './database.ts'
import type { RecordingRow } from './session-recordings.ts'

export type SessionKey = Pick<RecordingRow, 'project_id' | 'session_id'>

/** What is known of a session before more of it is stored. */
export type StoredSession = SessionKey & {
  deleted: boolean
  /** Those of the items asked about that its blocks hold. */
  repeats: string[]
}

/** Which of these items the sessions already hold; a session without a recording is left out. */
export async function storedSessions(
  store: Store,
  asked: readonly (SessionKey & { items: readonly string[] })[],
): Promise<StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    SELECT recording.project_id, recording.session_id, recording.deleted_at IS NOT NULL AS deleted,
      ARRAY(SELECT item::text FROM session_recording_blocks block, unnest(block.items) AS item
        WHERE block.recording_id = recording.id AND block.items && asked.items AND item = ANY (asked.items)) AS repeats
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked (project_id integer, session_id text, items uuid[])
    JOIN session_recordings recording USING (project_id, session_id)`.execute(store)
  return rows
}

/**
 * The recordings of these sessions, new ones where there are none, locked until the transaction ends. Given in one order
 * by all, lest two wait for each other.
 */
export async function lockRecordings(
  transaction: StoreTransaction,
  recordings: readonly Insertable<SessionRecordingsTable>[],
): Promise<RecordingRow[]> {
  const rows = JSON.stringify(recordings)
  const columns = sql.join(Object.keys(recordings[0] ?? {}).map((column) => sql.ref(column)))
  await sql`INSERT INTO session_recordings (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::session_recordings, ${rows}::json)
    ON CONFLICT (project_id, session_id) DO NOTHING`.execute(transaction)
  const locked = await sql<RecordingRow>`SELECT * FROM session_recordings
    WHERE (project_id, session_id) IN (SELECT project_id, session_id FROM json_populate_recordset(NULL::session_recordings, ${rows}::json))
    ORDER BY project_id, session_id FOR UPDATE`.execute(transaction)
  return locked.rows
}

/** A recording's blocks, the first one first. */
export function listBlocks(
  store: Store,
  recordingId: number,
): Promise<Pick<SessionRecordingBlocksTable, 'number' | 'start_time' | 'end_time'>[]> {
  return store
    .selectFrom('session_recording_blocks')
    .select(['number', 'start_time', 'end_time'])
    .where('recording_id', '=', recordingId)
    .orderBy('number')
    .execute()
}

/** The object keys of a recording's blocks from number `first` to `last`, both included; those that exist. */
export async function blockKeys(
  store: Store,
  recordingId: number,
  first: number,
  last: number,
): Promise<string[]> {
  const rows = await store
    .selectFrom('session_recording_blocks')
    .select('object_key')
    .where('recording_id', '=', recordingId)
    .where('number', '>=', first)
    .where('number', '<=', last)
    .orderBy('number')
    .execute()
  return rows.map((row) => row.object_key)
}

/** Adds blocks to locked recordings. */
export async function insertBlocks(
  transaction: StoreTransaction,
  blocks: readonly SessionRecordingBlocksTable[],
): Promise<void> {
  await sql`INSERT INTO session_recording_blocks
    SELECT * FROM json_populate_recordset(NULL::session_recording_blocks, ${JSON.stringify(blocks)}::json)`.execute(
    transaction,
  )
}

/** Writes these columns of locked recordings, the same ones of each. */
export async function updateRecordings(
  transaction: StoreTransaction,
  recordings: readonly (Partial<RecordingRow> & { id: number })[],
): Promise<void> {
  const changed = Object.keys(recordings[0] ?? {}).filter((column) => column !== 'id')
  const changes = changed.map((column) => sql`${sql.ref(column)} = changed.${sql.ref(column)}`)
  await sql`UPDATE session_recordings recording SET ${sql.join(changes)}
    FROM json_populate_recordset(NULL::session_recordings, ${JSON.stringify(recordings)}::json) AS changed
    WHERE recording.id = changed.id`.execute(transaction)
}
