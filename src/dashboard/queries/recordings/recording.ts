import type { RecordingEvents, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { actionEvents } from '../../../contract/recordings/visitor-actions.ts'
import { call } from '../../api/call.ts'
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

/** The rows of a filtered list around row `row` (from 0), for moving to the previous or next recording. */
export function neighboursQuery(projectId: string, filter: RecordingFilter, row: number) {
  const params = { project_id: projectId }
  const query = { ...filter, limit: 21, offset: Math.max(0, row - 10) }
  return { ...endpointQuery('listSessionRecordings', { params, query }), staleTime: Infinity }
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
