import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { SessionRecordingsTable } from '../schema/recording-tables.ts'

export type RecordingRow = Selectable<SessionRecordingsTable>

/** Finds the recording of a session; `sessionId` may be any text. */
export async function findRecording(
  store: Store,
  projectId: number,
  sessionId: string,
): Promise<RecordingRow | undefined> {
  // PostgreSQL's text cannot contain a null character, so no session id has one.
  if (sessionId.includes('\0')) return undefined
  return await store
    .selectFrom('session_recordings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('session_id', '=', sessionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Finds the recordings of these sessions, in no order. */
export function findRecordings(
  store: Store,
  projectId: number,
  sessionIds: readonly string[],
): Promise<RecordingRow[]> {
  return store
    .selectFrom('session_recordings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(sql<boolean>`session_id = ANY (${sessionIds}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Inserts a recording; returns undefined if the project has had one of this session. */
export function insertRecording(
  store: Store,
  values: Insertable<SessionRecordingsTable>,
): Promise<RecordingRow | undefined> {
  return store
    .insertInto('session_recordings')
    .values(values)
    .onConflict((conflict) => conflict.columns(['project_id', 'session_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Whether a project has, or had until it was deleted, a recording of a session. */
export async function hasSession(store: Store, projectId: number, sessionId: string): Promise<boolean> {
  const row = await store
    .selectFrom('session_recordings')
    .select('id')
    .where('project_id', '=', projectId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row !== undefined
}

/** Updates a recording and returns it; undefined if it has been deleted. */
export function updateRecording(
  store: Store,
  id: number,
  changes: Updateable<SessionRecordingsTable>,
): Promise<RecordingRow | undefined> {
  return store
    .updateTable('session_recordings')
    .set(changes)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
