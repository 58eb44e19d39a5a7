import type { SimilarSession } from '../../../contract/recordings/session-recording.ts'
import { computePathsOf } from '../../recordings/similar/path-job.ts'
import { findSimilarPaths } from '../../recordings/similar/similar-sessions.ts'
import { findRecordings } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { showRecording, showRecordings } from './show-recording.ts'

const sessionsMax = 10
const sharedStepsMax = 12

/** Returns the recording with the sessions whose paths are most similar, nearest first. */
export const similarSessions: Handler<'similarSessions'> = async ({ services, recording }) => {
  const { project_id: projectId, path_made_at: made } = recording
  if (made === null || made < recording.last_updated_at)
    await computePathsOf(services, projectId, [recording])
  const similar = await findSimilarPaths(services, projectId, recording.session_id)
  const ids = similar.map(({ sessionId }) => sessionId)
  const existing = await findRecordings(services.store, projectId, ids)
  const shown = new Map((await showRecordings(services, existing)).map((other) => [other.id, other]))
  const results = similar.flatMap(({ sessionId, distance, shared, parts }): SimilarSession[] => {
    const other = shown.get(sessionId)
    if (!other) return []
    return [
      {
        id: sessionId,
        distance,
        start_time: other.start_time,
        recording_duration: other.recording_duration,
        start_url: other.start_url,
        person_name: other.person.name,
        distinct_id: other.distinct_id,
        shared: shared.slice(0, sharedStepsMax),
        parts,
      },
    ]
  })
  return { ...(await showRecording(services, recording)), results: results.slice(0, sessionsMax) }
}
