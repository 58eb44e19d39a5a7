import { formatInstant } from '../../../contract/instant.ts'
import type { ErrorCluster } from '../../../contract/session-recording.ts'
import { notFound } from '../../problems/api-error.ts'
import { findErrorClusters, type ClusterRow } from '../../recordings/error-clusters.ts'
import { findRecordings, type RecordingRow } from '../../store/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { noRecording, showRecording } from './show-recording.ts'

/** What led to an error can be seen when so much (milliseconds) comes before it. */
const leadMs = 3000

/** Errors by what their messages have in common, beside the recording that shows the most frequent one best. */
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

/** The shortest recording in which something leads up to the error, else the shortest. */
function bestOf(recorded: readonly Recorded[]): Recorded | null {
  const led = recorded.filter(({ recording, first }) => first - recording.start_time.getTime() >= leadMs)
  const shortest = (led.length > 0 ? led : recorded).toSorted(
    (a, b) => a.recording.recording_duration - b.recording.recording_duration,
  )
  return shortest[0] ?? null
}
