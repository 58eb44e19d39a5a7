import { formatInstant } from '../../../contract/instant.ts'
import type { ErrorCluster } from '../../../contract/session-recording.ts'
import { notFound } from '../../problems/api-error.ts'
import { findErrorClusters, type ClusterRow } from '../../recordings/error-clusters.ts'
import { findRecordings, type RecordingRow } from '../../store/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { noRecording, showRecording } from './show-recording.ts'

/** Time (ms) that a recording must cover before an error to show its cause. */
const leadMs = 3000

/** Groups errors with similar messages. The response is the recording that best shows the largest cluster. */
export const errorClusters: Handler<'errorClusters'> = async ({ services, projects }) => {
  const [project] = projects
  if (!project) throw notFound('Project not found.')
  const clusters = await findErrorClusters(services, project.id)
  const ids = clusters.flatMap(({ sessions }) => sessions.map(({ id }) => id))
  const found = await findRecordings(services.store, project.id, [...new Set(ids)])
  const recordings = new Map(found.map((recording) => [recording.session_id, recording]))
  const results = clusters.map((cluster) => showCluster(cluster, recordings))
  const shown = results[0]?.best && recordings.get(results[0].best.id)
  return { ...(shown ? await showRecording(services, shown) : noRecording), results }
}

function showCluster(row: ClusterRow, recordings: ReadonlyMap<string, RecordingRow>): ErrorCluster {
  const recorded = row.sessions.flatMap(({ id, first }) => {
    const recording = recordings.get(id)
    return recording ? [{ recording, first }] : []
  })
  const best = bestOf(recorded)
  return {
    cluster: row.cluster,
    sample: row.sample,
    session_ids: recorded.map(({ recording }) => recording.session_id),
    occurrences: row.occurrences,
    sparkline: row.sparkline,
    unique_sessions: row.uniqueSessions,
    viewed: recorded.filter(({ recording }) => recording.viewed_at !== null).length,
    pattern: row.pattern,
    newest: formatInstant(row.newest),
    best: best && { id: best.recording.session_id, timestamp: formatInstant(best.first) },
  }
}

type Recorded = { recording: RecordingRow; first: number }

/** Returns the shortest recording that shows the cause of the error, or else the shortest of all. */
function bestOf(recorded: readonly Recorded[]): Recorded | null {
  const withLead = recorded.filter(({ recording, first }) => first - recording.start_time.getTime() >= leadMs)
  const shortest = (withLead.length > 0 ? withLead : recorded).toSorted(
    (a, b) => a.recording.recording_duration - b.recording.recording_duration,
  )
  return shortest[0] ?? null
}
