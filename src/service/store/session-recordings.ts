import { sql, type Selectable, type Updateable } from 'kysely'
import type { SessionRecordingsTable, Store } from './database.ts'

export type RecordingRow = Selectable<SessionRecordingsTable>

/** The recording of a session; any text may be asked for. */
export async function findRecording(
  store: Store,
  projectId: number,
  sessionId: string,
): Promise<RecordingRow | undefined> {
  // PostgreSQL's texts cannot hold it, so no session is called so.
  if (sessionId.includes('\0')) return undefined
  return await store
    .selectFrom('session_recordings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('session_id', '=', sessionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Those of these sessions that have a recording, in no order. */
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

/** The changed row; undefined when the recording has been deleted. */
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
