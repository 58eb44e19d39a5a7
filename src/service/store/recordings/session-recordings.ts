import type { Insertable, Selectable } from 'kysely'
import { rowsOf, type Store } from '../schema/database.ts'
import type { SessionRecordingsTable } from '../schema/recording-tables.ts'

export type RecordingRow = Selectable<SessionRecordingsTable>

/** Finds the recording of a session; `sessionId` may be any text. */
export async function findRecording(store: Store, projectId: number, sessionId: string) {
  // PostgreSQL's text cannot contain a null character, so no session id has one.
  const [found] = sessionId.includes('\0') ? [] : await findRecordings(store, projectId, [sessionId])
  return found
}

/** Finds the recordings of these sessions, in no order. */
export async function findRecordings(store: Store, projectId: number, sessionIds: readonly string[]) {
  return await rowsOf<RecordingRow>(store)`SELECT * FROM session_recordings
    WHERE project_id = ${projectId} AND session_id = ANY (${sessionIds}::text[]) AND deleted_at IS NULL`
}

/** Inserts a recording; returns undefined if the project has had one of this session. */
export function insertRecording(store: Store, values: Insertable<SessionRecordingsTable>) {
  return store
    .insertInto('session_recordings')
    .values(values)
    .onConflict((conflict) => conflict.columns(['project_id', 'session_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Whether a project has, or had until it was deleted, a recording of a session. */
export async function hasSession(store: Store, projectId: number, sessionId: string) {
  const found = await rowsOf(store)`
    SELECT FROM session_recordings WHERE project_id = ${projectId} AND session_id = ${sessionId}`
  return found.length > 0
}
