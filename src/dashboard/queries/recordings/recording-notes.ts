import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'

/** The notes on a recording. */
export function recordingNotesQuery(projectId: string, recordingId: string) {
  return endpointQuery('listRecordingNotes', {
    params: { project_id: projectId },
    query: { session_recording_id: recordingId },
  })
}

export function useWriteNote(projectId: string, recordingId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (note: Pick<BodyInput<'createRecordingNote'>, 'at' | 'text'>) =>
      call('createRecordingNote', {
        params: { project_id: projectId },
        body: { session_recording_id: recordingId, ...note },
      }),
    onSuccess: () => refreshNotes(client),
  })
}

export function useChangeNote(projectId: string, noteId: string) {
  const client = useQueryClient()
  const params = { project_id: projectId, note_id: noteId }
  return useMutation({
    mutationFn: (text: string) => call('updateRecordingNote', { params, body: { text } }),
    onSuccess: () => refreshNotes(client),
  })
}

/** Sends the request alone, because the deletion can be undone until then. */
export async function deleteNote(client: QueryClient, projectId: string, id: string): Promise<void> {
  await call('deleteRecordingNote', { params: { project_id: projectId, note_id: id } })
  await refreshNotes(client)
}

function refreshNotes(client: QueryClient): Promise<void> {
  return invalidate(client, 'listRecordingNotes', 'getSessionRecording', 'listSessionRecordings')
}
