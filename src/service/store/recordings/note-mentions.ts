import { sql, type Selectable } from 'kysely'
import { namedText } from '../../../contract/recordings/mention-text.ts'
import type { MentionedMember } from '../../../contract/recordings/note-mention.ts'
import { uniqueNames } from '../accounts/members.ts'
import type { User } from '../accounts/users.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { countOf } from '../schema/rows.ts'
import type { RecordingNotesTable } from '../schema/recording-tables.ts'

type Note = Selectable<RecordingNotesTable>
type FoundNote = Note & { session_id: string }

/** How a person is named. */
const name = sql.raw(`coalesce(nullif(first_name, ''), users.email)`)

/** Makes a note mention these users and no others; returns those that it did not mention before. */
export async function storeMentions(
  store: Store,
  note: Pick<Note, 'id' | 'project_id'>,
  userIds: readonly string[],
  at: Date,
): Promise<string[]> {
  await sql`DELETE FROM note_mentions WHERE note_id = ${note.id} AND user_id <> ALL (${userIds}::uuid[])`.execute(
    store,
  )
  const rows = await rowsOf<{ user_id: string }>(store)`
    INSERT INTO note_mentions (note_id, user_id, project_id, created_at)
    SELECT ${note.id}::uuid, user_id, ${note.project_id}, ${at} FROM unnest(${userIds}::uuid[]) AS user_id
    ON CONFLICT DO NOTHING RETURNING user_id`
  return rows.map(({ user_id }) => user_id)
}

export type NoteMentions = { mentions: MentionedMember[]; isUnread: boolean }

/** Returns whom these notes mention, by the note's id, and whether that is news to a user. */
export async function mentionsOfNotes(
  store: Store,
  notes: readonly Pick<Note, 'id' | 'text'>[],
  userId: string | null,
): Promise<Map<string, NoteMentions>> {
  const ids = notes.filter(({ text }) => text.includes('@[')).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  type Found = MentionedMember & { note_id: string; email: string; read_at: Date | null }
  const rows = await rowsOf<Found>(store)`
    SELECT note_id, read_at, users.id, email, ${name} AS name FROM note_mentions JOIN users ON users.id = user_id
    WHERE note_id = ANY (${ids}::uuid[]) ORDER BY users.id`
  const byNote = Map.groupBy(rows, ({ note_id }) => note_id)
  return new Map(
    Array.from(byNote, ([noteId, found]) => [
      noteId,
      {
        mentions: uniqueNames(found).map((row) => ({ id: row.id, name: row.name })),
        isUnread: found.some(({ id, read_at }) => id === userId && read_at === null),
      },
    ]),
  )
}

/** Returns notes with names in their texts instead of the ids of mentioned members. */
export async function withNames<Named extends Pick<Note, 'id' | 'text'>>(
  store: Store,
  notes: readonly Named[],
): Promise<Named[]> {
  const mentioned = await mentionsOfNotes(store, notes, null)
  return notes.map((note) => ({
    ...note,
    text: namedText(note.text, mentioned.get(note.id)?.mentions ?? []),
  }))
}

/** Returns the newest unread notes of a project that mention a user; notes on deleted recordings are left out. */
export async function unreadMentions(store: Store, projectId: number, userId: string, limit: number) {
  const from = sql`note_mentions mention JOIN recording_notes note ON note.id = note_id
    JOIN session_recordings recording ON recording.id = note.recording_id
    WHERE mention.user_id = ${userId} AND mention.project_id = ${projectId} AND read_at IS NULL AND deleted_at IS NULL`
  const rows = await rowsOf<FoundNote & { distinct_id: string }>(store)`
    SELECT note.*, session_id, distinct_id FROM ${from} ORDER BY mention.created_at DESC, note.id LIMIT ${limit}`
  const count = rows.length < limit ? rows.length : await countOf(store, from)
  return { rows, count }
}

/** Notes that a user has seen the notes on a recording that mention them. */
export async function markMentionsRead(
  store: Store,
  recordingId: number,
  userId: string,
  at: Date,
): Promise<void> {
  await sql`UPDATE note_mentions SET read_at = ${at} WHERE user_id = ${userId} AND read_at IS NULL
    AND note_id IN (SELECT id FROM recording_notes WHERE recording_id = ${recordingId})`.execute(store)
}

/** Finds a note that mentions a user who has not seen it yet, with what an e-mail to them says; null after a change. */
export async function mentionForMail(store: Store, noteId: string, userId: string) {
  type Found = FoundNote & Pick<User, 'email'> & { project: string; organization_id: string }
  const [found] = await rowsOf<Found>(store)`
    SELECT note.*, session_id, email, projects.name AS project, projects.organization_id
    FROM recording_notes note JOIN note_mentions mention ON mention.note_id = note.id
    JOIN session_recordings recording ON recording.id = note.recording_id AND deleted_at IS NULL
    JOIN projects ON projects.id = note.project_id JOIN users ON users.id = mention.user_id
    WHERE note.id = ${noteId} AND mention.user_id = ${userId} AND read_at IS NULL`
  return found
}
