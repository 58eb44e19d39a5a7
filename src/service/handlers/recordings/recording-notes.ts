import { formatInstant } from '../../../contract/instant.ts'
import { notesMax, type RecordingNote } from '../../../contract/recording-note.ts'
import type { Caller } from '../../auth/caller.ts'
import { ApiError, conflict, notFound } from '../../problems/api-error.ts'
import { newId } from '../../store/identifier.ts'
import {
  deleteNote,
  insertNote,
  listNotes,
  updateNote,
  type RecordingNoteRow,
} from '../../store/recording-notes.ts'
import type { Handler } from '../handler.ts'

export const listRecordingNotes: Handler<'listRecordingNotes'> = async (request) => {
  const { services, caller, recording } = request
  const rows = await listNotes(services.store, recording.id)
  return { results: rows.map((row) => show(row, caller)) }
}

export const createRecordingNote: Handler<'createRecordingNote'> = async (request) => {
  const { services, caller, recording, body } = request
  const now = services.clock.now()
  const row = {
    id: newId(now),
    recording_id: recording.id,
    project_id: recording.project_id,
    user_id: caller.key.user_id,
    author: caller.key.label,
    ...body,
    created_at: new Date(now),
    updated_at: new Date(now),
  }
  if (!(await insertNote(services.store, row, notesMax)))
    throw conflict(`The recording was deleted or has ${notesMax} notes: delete a note first.`)
  return show(row, caller)
}

export const updateRecordingNote: Handler<'updateRecordingNote'> = async (request) => {
  const { services, caller, recordingNote, body } = request
  if (recordingNote.user_id !== caller.key.user_id)
    throw new ApiError({
      status: 403,
      type: 'authentication_error',
      code: 'permission_denied',
      detail: 'Only its author can change a note: write a note of your own.',
    })
  const row = await updateNote(services.store, recordingNote.id, {
    ...(body.at !== undefined && { at: body.at }),
    ...(body.text !== undefined && { text: body.text }),
    updated_at: new Date(services.clock.now()),
  })
  if (!row) throw notFound()
  return show(row, caller)
}

export const deleteRecordingNote: Handler<'deleteRecordingNote'> = async ({ services, recordingNote }) => {
  await deleteNote(services.store, recordingNote.id)
  return null
}

function show(row: RecordingNoteRow, { key }: Caller): RecordingNote {
  return {
    id: row.id,
    at: row.at,
    text: row.text,
    author: { name: row.author },
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    is_mine: row.user_id === key.user_id,
  }
}
