import type { QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'

const changed = ['listRecordingNotes', 'getSessionRecording', 'listSessionRecordings'] as const

/** The notes on a recording. */
export function recordingNotesQuery(projectId: string, recordingId: string) {
  const query = { session_recording_id: recordingId }
  return endpointQuery('listRecordingNotes', { params: { project_id: projectId }, query })
}

export function useWriteNote(projectId: string, recordingId: string) {
  return useChange(changed, (note: Pick<BodyInput<'createRecordingNote'>, 'at' | 'text'>) =>
    call('createRecordingNote', {
      params: { project_id: projectId },
      body: { session_recording_id: recordingId, ...note },
    }),
  )
}

export function useChangeNote(projectId: string, noteId: string) {
  const params = { project_id: projectId, note_id: noteId }
  return useChange(changed, (text: string) => call('updateRecordingNote', { params, body: { text } }))
}

/** Sends the request alone, because the deletion can be undone until then. */
export async function deleteNote(client: QueryClient, projectId: string, id: string): Promise<void> {
  await call('deleteRecordingNote', { params: { project_id: projectId, note_id: id } })
  await invalidate(client, ...changed)
}
