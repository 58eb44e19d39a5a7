import { call } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'

/** Milliseconds before the members are fetched again; they rarely change. */
const membersStaleMs = 5 * 60_000

/** The unread notes of a project that mention the user. */
export function mentionsQuery(projectId: string) {
  return endpointQuery('listMentions', { params: { project_id: projectId } })
}

/** The members whom notes in a project can mention. */
export function mentionableMembersQuery(projectId: string) {
  const query = endpointQuery('listMentionableMembers', { params: { project_id: projectId } })
  return { ...query, staleTime: membersStaleMs }
}

/** Marks the notes on a recording that mention the user as read. */
export function useReadMentions(projectId: string) {
  return useChange(
    (recordingId: string) =>
      call('readMentions', {
        params: { project_id: projectId },
        body: { session_recording_id: recordingId },
      }),
    ['listMentions', 'listRecordingNotes'],
    'onSuccess',
  )
}
