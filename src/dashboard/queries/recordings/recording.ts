import { queryOptions } from '@tanstack/react-query'
import type { RecordingEvents, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { actionEvents } from '../../../contract/recordings/visitor-actions.ts'
import { call, loadEndpoint } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'
import { live } from '../live.ts'
import { useChange } from '../use-change.ts'
import type { RecordingFilter } from './recordings-search.ts'

/** A recording; polled while its session is ongoing. */
export function recordingQuery(projectId: string, id: string) {
  const params = { project_id: projectId, id }
  return {
    ...endpointQuery('getSessionRecording', { params }),
    ...live(({ ongoing }: SessionRecording) => (ongoing ? 'resting' : 'settled')),
  }
}

export function recordingEventsQuery(projectId: string, id: string) {
  const query = endpointQuery('eventsOfSessionRecording', { params: { project_id: projectId, id } })
  return { ...query, staleTime: Infinity }
}

/** Times (ms since the epoch) of the visitor's actions, ascending. */
export function actionTimesQuery(projectId: string, id: string) {
  return { ...recordingEventsQuery(projectId, id), select: actionTimes }
}

/** When the visitor submitted forms, in milliseconds since the recording's start. */
export function submitsQuery(projectId: string, recording: SessionRecording) {
  const start = Date.parse(recording.start_time)
  return {
    ...recordingEventsQuery(projectId, recording.id),
    select: ({ results }: RecordingEvents) =>
      results
        .filter(({ properties }) => properties['$event_type'] === 'submit')
        .map(({ timestamp }) => Date.parse(timestamp) - start),
  }
}

function actionTimes({ results }: RecordingEvents): number[] {
  const actions: ReadonlySet<string> = new Set(actionEvents)
  return results.filter(({ event }) => actions.has(event)).map(({ timestamp }) => Date.parse(timestamp))
}

export function similarSessionsQuery(projectId: string, id: string) {
  const query = endpointQuery('similarSessions', { params: { project_id: projectId, id } })
  return { ...query, staleTime: Infinity }
}

/**
 * The rows of a list around row `row` (from 0), for moving to the previous or next recording. `list` is the list's query
 * string.
 */
export function neighboursQuery(projectId: string, list: string, row: number) {
  const params = { project_id: projectId }
  const page = { limit: 21, offset: Math.max(0, row - 10) }
  return queryOptions({
    queryKey: ['listSessionRecordings', { params, list, page }] as const,
    queryFn: async ({ signal }) =>
      call('listSessionRecordings', { params, query: { ...(await filterIn(list)), ...page } }, { signal }),
    staleTime: Infinity,
  })
}

/** Returns the parameters in a query string that filter and sort the list. */
async function filterIn(list: string): Promise<RecordingFilter> {
  // The schema is loaded on demand: a recording opened by its address has no list.
  const { query } = await loadEndpoint('listSessionRecordings')
  const parameters = new URLSearchParams(list)
  const names = Object.keys(query.shape).filter((name) => !['limit', 'offset'].includes(name))
  return Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? undefined]))
}

const changed = ['getSessionRecording', 'listSessionRecordings'] as const

export function useMarkViewed(projectId: string) {
  return useChange(
    (id: string) =>
      call('updateSessionRecording', { params: { project_id: projectId, id }, body: { viewed: true } }),
    changed,
  )
}

export function useKeepRecording(projectId: string) {
  return useChange(
    (id: string) => call('persistSessionRecording', { params: { project_id: projectId, id }, body: {} }),
    changed,
  )
}
