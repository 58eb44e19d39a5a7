import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { withIds } from '../../../contract/recordings/mention-text.ts'
import type { RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { call } from '../../api/call.ts'
import { endpointQuery, invalidate } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'
import { mentionableMembersQuery } from './note-mentions.ts'

const changed = ['listRecordingNotes', 'getSessionRecording', 'listSessionRecordings'] as const

/** The notes on a recording. */
export function recordingNotesQuery(projectId: string, recordingId: string) {
  const query = { session_recording_id: recordingId }
  return endpointQuery('listRecordingNotes', { params: { project_id: projectId }, query })
}

export function useWriteNote(projectId: string, recordingId: string) {
  const client = useQueryClient()
  return useChange(
    async ({ at, text }: Pick<BodyInput<'createRecordingNote'>, 'at' | 'text'>) =>
      call('createRecordingNote', {
        params: { project_id: projectId },
        body: { session_recording_id: recordingId, at, text: await mentioning(client, projectId, text, []) },
      }),
    changed,
  )
}

export function useChangeNote(projectId: string, { id, mentions }: RecordingNote) {
  const client = useQueryClient()
  return useChange(
    async (text: string) =>
      call('updateRecordingNote', {
        params: { project_id: projectId, note_id: id },
        body: { text: await mentioning(client, projectId, text, mentions) },
      }),
    changed,
  )
}

/** Returns a typed text with the ids of the members whom it names after an @; `known` are those of the note so far. */
async function mentioning(
  client: QueryClient,
  projectId: string,
  text: string,
  known: RecordingNote['mentions'],
): Promise<string> {
  if (!text.includes('@')) return text
  const members = await client.ensureQueryData(mentionableMembersQuery(projectId))
  return withIds(text, [...known, ...members])
}

/** Sends the request alone, because the deletion can be undone until then. */
export async function deleteNote(client: QueryClient, projectId: string, id: string): Promise<void> {
  await call('deleteRecordingNote', { params: { project_id: projectId, note_id: id } })
  await invalidate(client, ...changed)
}
