import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'
import { endpointQuery, invalidate } from './endpoint-query.ts'

/** The notes on a recording. */
export function recordingNotesQuery(projectId: string, recordingId: string) {
  return endpointQuery('listRecordingNotes', { params: { project_id: projectId, recording_id: recordingId } })
}

export function useWriteNote(projectId: string, recordingId: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, recording_id: recordingId }
  return useMutation({
    mutationFn: (body: BodyInput<'createRecordingNote'>) => call('createRecordingNote', { params, body }),
    onSuccess: () => refreshNotes(client),
  })
}

export function useChangeNote(projectId: string, recordingId: string, noteId: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, recording_id: recordingId, note_id: noteId }
  return useMutation({
    mutationFn: (text: string) => call('updateRecordingNote', { params, body: { text } }),
    onSuccess: () => refreshNotes(client),
  })
}

type NotePlace = { projectId: string; recordingId: string }

/** Sends the request alone, because the deletion can be undone until then. */
export async function deleteNote(client: QueryClient, { projectId, recordingId }: NotePlace, id: string) {
  await call('deleteRecordingNote', {
    params: { project_id: projectId, recording_id: recordingId, note_id: id },
  })
  await refreshNotes(client)
}

function refreshNotes(client: QueryClient): Promise<void> {
  return invalidate(client, 'listRecordingNotes', 'getSessionRecording', 'listSessionRecordings')
}
