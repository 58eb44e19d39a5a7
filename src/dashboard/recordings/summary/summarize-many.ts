import type { QueryClient } from '@tanstack/react-query'
import type { useNavigate } from '@tanstack/react-router'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { RecordingFilter } from '../../queries/recordings/recordings-search.ts'
import { startGroupSummary } from '../../queries/recordings/group-summary.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'

/** The project whose recordings an action is on, the query cache that contains them, and the list's filter. */
export type Place = {
  client: QueryClient
  projectId: string
  filter: RecordingFilter
  navigate: ReturnType<typeof useNavigate>
}

/** Starts one summary of these recordings, or of all that match the filter, and opens its page; a failure offers Retry. */
export function summarizeMany(place: Place, rows: readonly Pick<SessionRecording, 'id'>[] | 'all') {
  const { client, projectId, navigate } = place
  const { order: _order, order_direction: _direction, ...filter } = place.filter
  const recordings = rows === 'all' ? { filter } : { ids: rows.map(({ id }) => id) }
  return sendAction({
    failed: 'The recordings could not be summarized.',
    send: async () => {
      const id = await startGroupSummary(client, projectId, recordings)
      await navigate({ to: '/recordings/summaries/$id', params: { id } })
    },
  })
}
