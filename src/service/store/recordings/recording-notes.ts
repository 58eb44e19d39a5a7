import { sql, type Selectable } from 'kysely'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RecordingNotesTable } from '../schema/recording-tables.ts'
import { findRows } from '../schema/rows.ts'
import { withNames } from './note-mentions.ts'

export type RecordingNoteRow = Selectable<RecordingNotesTable>
/** A note with the session id of its recording. */
export type FoundNote = RecordingNoteRow & { session_id: string }

/** Lists the notes on a recording, in the order of their moments, with the names of mentioned members. */
export async function listNotes(store: Store, recordingId: number): Promise<RecordingNoteRow[]> {
  const own = { recording_id: recordingId }
  return withNames(store, await findRows(store, 'recording_notes', own, sql`ORDER BY at, id`))
}

/**
 * Returns a page of the notes whose text or author matches the pattern of LIKE, in any case, and the number of all of them:
 * those on one recording in the order of their moments, or those on all recordings of the project, newest first.
 */
export async function pageOfNotes(
  store: Store,
  projectId: number,
  of: { recordingId: number | null; pattern: string },
  page: { limit: number; offset: number },
) {
  const { recordingId, pattern } = of
  const found = notesOfProjects(store, [projectId])
    .where((where) => where.or([where('text', 'ilike', pattern), where('author', 'ilike', pattern)]))
    .$if(recordingId !== null, (query) => query.where('recording_id', '=', recordingId))
  const ordered =
    recordingId === null
      ? found.orderBy('note.created_at', 'desc').orderBy('note.id', 'desc')
      : found.orderBy('at').orderBy('note.id')
  const [{ count }, rows] = await Promise.all([
    found.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ordered.selectAll('note').select('session_id').limit(page.limit).offset(page.offset).execute(),
  ])
  return { count, rows }
}

/** Finds a note; `id` must be a UUID. */
export function findNote(store: Store, projectIds: readonly number[], id: string) {
  return notesOfProjects(store, projectIds)
    .selectAll('note')
    .select('session_id')
    .where('note.id', '=', id)
    .executeTakeFirst()
}

/** A deleted recording keeps its notes until the deletion can no longer be undone. */
function notesOfProjects(store: Store, projectIds: readonly number[]) {
  return store
    .selectFrom('recording_notes as note')
    .innerJoin('session_recordings as recording', 'recording.id', 'note.recording_id')
    .where('note.project_id', 'in', [...projectIds, -1])
    .where('deleted_at', 'is', null)
}

/** Inserts a note unless the recording has been deleted or has `max` notes; returns whether it was inserted. */
export async function insertNote(store: Store, row: RecordingNoteRow, max: number) {
  const { id, recording_id, project_id, user_id, author, at, text, created_at, updated_at } = row
  const { numAffectedRows } = await sql`
    INSERT INTO recording_notes (id, recording_id, project_id, user_id, author, at, text, created_at, updated_at)
    SELECT ${id}::uuid, ${recording_id}, ${project_id}, ${user_id}::uuid, ${author}, ${at}, ${text}, ${created_at}, ${updated_at}
    FROM session_recordings recording WHERE recording.id = ${recording_id} AND deleted_at IS NULL
      AND (SELECT count(*) FROM recording_notes WHERE recording_id = ${recording_id}) < ${max}
    FOR SHARE OF recording`.execute(store)
  return numAffectedRows === 1n
}

/** Returns the notes on these recordings that match the pattern of LIKE, in any case, with the names of mentioned members. */
export async function findNotes(store: Store, recordingIds: readonly number[], pattern: string) {
  type Found = Pick<RecordingNoteRow, 'id' | 'recording_id' | 'at' | 'text'>
  const rows = await rowsOf<Found>(store)`
    SELECT id, recording_id, at, text FROM recording_notes
    WHERE recording_id = ANY (${recordingIds}::bigint[]) AND text ILIKE ${pattern}`
  return withNames(store, rows)
}
