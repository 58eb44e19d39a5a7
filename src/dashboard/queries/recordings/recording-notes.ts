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
  return useChange(
    (note: Pick<BodyInput<'createRecordingNote'>, 'at' | 'text'>) =>
      call('createRecordingNote', {
        params: { project_id: projectId },
        body: { session_recording_id: recordingId, ...note },
      }),
    changed,
  )
}

export function useChangeNote(projectId: string, noteId: string) {
  const params = { project_id: projectId, note_id: noteId }
  return useChange((text: string) => call('updateRecordingNote', { params, body: { text } }), changed)
}

/** Sends the request alone, because the deletion can be undone until then. */
export async function deleteNote(client: QueryClient, projectId: string, id: string): Promise<void> {
  await call('deleteRecordingNote', { params: { project_id: projectId, note_id: id } })
  await invalidate(client, ...changed)
}
