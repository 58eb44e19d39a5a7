import { notesMax, RecordingNote } from '../../../contract/recordings/recording-note.ts'
import type { Caller } from '../../auth/caller.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { conflict, notFound, permissionDenied } from '../../problems/api-error.ts'
import { containing } from '../../recordings/filter/filter-rows.ts'
import { newId } from '../../store/schema/identifier.ts'
import { insertNote, pageOfNotes, type FoundNote } from '../../store/recordings/recording-notes.ts'
import { mentionsOfNotes } from '../../store/recordings/note-mentions.ts'
import { deleteRows, updateRow, updateRows } from '../../store/schema/rows.ts'
import type { Store } from '../../store/schema/database.ts'
import { findRecording, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { mentionMembers } from './note-mentions.ts'

export const listRecordingNotes: Handler<'listRecordingNotes'> = async (request) => {
  const { services, project, caller, query, link } = request
  const { session_recording_id: id, search } = query
  const recordingId = id === undefined ? null : (await recordingOf(services.store, project.id, id)).id
  const of = { recordingId, pattern: containing(search) }
  const { count, rows } = await pageOfNotes(services.store, project.id, of, query)
  return { count, ...offsetLinks(link, query, count), results: await showAll(services.store, rows, caller) }
}

export const createRecordingNote: Handler<'createRecordingNote'> = async (request) => {
  const { services, project, caller, body } = request
  const { session_recording_id: session_id, at, text } = body
  const recording = await recordingOf(services.store, project.id, session_id)
  const now = services.clock.now()
  const row = {
    id: newId(now),
    recording_id: recording.id,
    project_id: recording.project_id,
    user_id: caller.userId,
    author: caller.name,
    at,
    text,
    created_at: new Date(now),
    updated_at: new Date(now),
  }
  if (!(await insertNote(services.store, row, notesMax)))
    throw conflict(`The recording was deleted or has ${notesMax} notes: delete a note first.`)
  await mentionMembers(request, row)
  return await show(services.store, { ...row, session_id }, caller)
}

export const updateRecordingNote: Handler<'updateRecordingNote'> = async (request) => {
  const { services, caller, recordingNote, body } = request
  if (recordingNote.user_id !== caller.userId)
    throw permissionDenied('Only its author can change a note: write a note of your own.')
  const row = await updateRow(
    services.store,
    'recording_notes',
    { id: recordingNote.id },
    { ...body, updated_at: new Date(services.clock.now()) },
  )
  if (!row) throw notFound()
  if (body.text !== undefined) await mentionMembers(request, row)
  return await show(services.store, { ...recordingNote, ...row }, caller)
}

export const deleteRecordingNote: Handler<'deleteRecordingNote'> = async ({ services, recordingNote }) => {
  // E-mails that mentioned members still count towards their limit.
  await updateRows(services.store, 'mails', { note_id: recordingNote.id }, { note_id: null })
  await deleteRows(services.store, 'recording_notes', { id: recordingNote.id })
  return null
}

async function recordingOf(store: Store, projectId: number, sessionId: string): Promise<RecordingRow> {
  const recording = await findRecording(store, projectId, sessionId)
  if (!recording) throw notFound('Recording not found')
  return recording
}

async function showAll(store: Store, rows: FoundNote[], { userId }: Caller): Promise<RecordingNote[]> {
  const mentioned = await mentionsOfNotes(store, rows, userId)
  return rows.map((row) =>
    shownAs(RecordingNote, {
      ...row,
      session_recording_id: row.session_id,
      author: { name: row.author },
      mentions: mentioned.get(row.id)?.mentions ?? [],
      is_mine: row.user_id === userId,
      is_unread: mentioned.get(row.id)?.isUnread ?? false,
    }),
  )
}

async function show(store: Store, row: FoundNote, caller: Caller): Promise<RecordingNote> {
  const [shown] = await showAll(store, [row], caller)
  if (!shown) throw new Error('one row is shown as one note')
  return shown
}
