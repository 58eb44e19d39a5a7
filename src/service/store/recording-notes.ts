import { sql, type Selectable, type Updateable } from 'kysely'
import type { Store } from './database.ts'
import type { RecordingNotesTable } from './note-tables.ts'

export type RecordingNoteRow = Selectable<RecordingNotesTable>

/** Lists the notes on a recording, in the order of their moments. */
export function listNotes(store: Store, recordingId: number): Promise<RecordingNoteRow[]> {
  return store
    .selectFrom('recording_notes')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

/** Finds a note on a recording; `id` must be a UUID. */
export function findNote(
  store: Store,
  recordingId: number,
  id: string,
): Promise<RecordingNoteRow | undefined> {
  return store
    .selectFrom('recording_notes')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Inserts a note unless the recording has been deleted or has `max` notes; returns whether it was inserted. */
export async function insertNote(store: Store, row: RecordingNoteRow, max: number): Promise<boolean> {
  const { id, recording_id, project_id, user_id, author, at, text, created_at, updated_at } = row
  const { numAffectedRows } = await sql`
    INSERT INTO recording_notes (id, recording_id, project_id, user_id, author, at, text, created_at, updated_at)
    SELECT ${id}::uuid, ${recording_id}, ${project_id}, ${user_id}::uuid, ${author}, ${at}, ${text}, ${created_at}, ${updated_at}
    FROM session_recordings recording WHERE recording.id = ${recording_id} AND deleted_at IS NULL
      AND (SELECT count(*) FROM recording_notes WHERE recording_id = ${recording_id}) < ${max}
    FOR SHARE OF recording`.execute(store)
  return numAffectedRows === 1n
}

/** Changes a note and returns it; undefined if it has been deleted. */
export function updateNote(
  store: Store,
  id: string,
  changes: Updateable<RecordingNotesTable>,
): Promise<RecordingNoteRow | undefined> {
  return store
    .updateTable('recording_notes')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteNote(store: Store, id: string): Promise<void> {
  await store.deleteFrom('recording_notes').where('id', '=', id).execute()
}

/** Returns the notes on these recordings that match the pattern of LIKE, in any case. */
export function findNotes(
  store: Store,
  recordingIds: readonly number[],
  pattern: string,
): Promise<Pick<RecordingNoteRow, 'recording_id' | 'at' | 'text'>[]> {
  return store
    .selectFrom('recording_notes')
    .select(['recording_id', 'at', 'text'])
    .where(sql<boolean>`recording_id = ANY (${recordingIds}::bigint[])`)
    .where('text', 'ilike', pattern)
    .execute()
}

/** Returns the number of notes on those recordings that have any. */
export async function countNotes(
  store: Store,
  recordingIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ recording_id: number; count: number }>`
    SELECT recording_id, count(*) AS count FROM recording_notes
    WHERE recording_id = ANY (${recordingIds}::bigint[]) GROUP BY recording_id`.execute(store)
  return new Map(rows.map(({ recording_id, count }) => [recording_id, count]))
}
