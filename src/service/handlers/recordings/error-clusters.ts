import { ErrorCluster } from '../../../contract/recordings/error-cluster.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { invalidInput } from '../../problems/api-error.ts'
import {
  countErrorClusters,
  findErrorClusters,
  newestException,
  newestSessions,
  patternsOf,
  type ClusterRow,
} from '../../recordings/error-clusters.ts'
import { readStack } from '../../recordings/read-stack.ts'
import { errorRecordings, type ErrorRecording } from '../../store/recordings/error-recordings.ts'
import { errorStatesOf, setErrorStates, type ErrorStateRow } from '../../store/recordings/error-states.ts'
import { findRecordings } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { showRecordings, showSession } from './show-recording.ts'

/** Time (ms) that a recording must cover before an error to show its cause. */
const leadMs = 3000
/** Newest sessions of an error whose pages and browsers are counted. */
const examplesMax = 20
const placesMax = 3
const momentsMax = 30

/** Groups errors with similar messages. The response is the recording that best shows the largest cluster. */
export const errorClusters: Handler<'errorClusters'> = async ({ services, project, query }) => {
  const changes = await errorStatesOf(services.store, project.id)
  const [clusters, counts] = await Promise.all([
    findErrorClusters(services, project.id, changes, query),
    countErrorClusters(services, project.id, changes),
  ])
  const sessions = clusters.flatMap((row) =>
    row.sessions.map(({ id, first }, index) => ({
      cluster: row.cluster,
      id,
      first,
      isExample: index < examplesMax,
    })),
  )
  const recordings = Map.groupBy(
    await errorRecordings(services.store, project.id, sessions),
    (recording) => recording.cluster,
  )
  const results = clusters.map((row) =>
    showCluster(row, recordings.get(row.cluster) ?? [], changes.get(row.cluster)),
  )
  const best = results[0]?.best
  return { ...(await showSession(services, project.id, best?.id)), results, counts }
}

/** Sets the state of all these errors, or of none if one of them does not exist. */
export const updateErrorClusters: Handler<'updateErrorClusters'> = async (request) => {
  const { services, caller, project, body } = request
  const patterns = await patternsOf(services, project.id, body.clusters)
  const unknown = body.clusters.find((cluster) => !patterns.has(cluster))
  if (unknown !== undefined)
    throw invalidInput(`There is no error ${unknown}: list the errors again.`, ['clusters'])
  const change = {
    project_id: project.id,
    state: body.state,
    actor: caller.name,
    changed_at: new Date(services.clock.now()),
  }
  await setErrorStates(services.store, change, patterns)
  return { success: true }
}

export const errorMoments: Handler<'errorMoments'> = async ({ services, project, query }) => {
  const [sessions, exception] = await Promise.all([
    newestSessions(services, project.id, [query.cluster]),
    newestException(services, project.id, query.cluster),
  ])
  const newest = sessions.get(query.cluster) ?? []
  const ids = newest.map(({ id }) => id)
  const rows = await findRecordings(services.store, project.id, ids)
  const found = new Map(rows.map((row) => [row.session_id, row]))
  const recorded = newest.filter(({ id }) => found.has(id)).slice(0, momentsMax)
  const shown = await showRecordings(
    services,
    project.id,
    recorded.flatMap(({ id }) => found.get(id) ?? []),
  )
  const firsts = new Map(recorded.map(({ id, first }) => [id, first]))
  return {
    stack: exception === null ? null : readStack(JSON.parse(exception)),
    moments: shown.map((recording) => ({
      recording,
      at: Math.max(0, (firsts.get(recording.id) ?? 0) - Date.parse(recording.start_time)),
    })),
  }
}

function showCluster(
  row: ClusterRow,
  recorded: readonly ErrorRecording[],
  change: ErrorStateRow | undefined,
): ErrorCluster {
  const best = bestOf(recorded)
  return shownAs(ErrorCluster, {
    ...row,
    session_ids: recorded.map((recording) => recording.session_id),
    unique_sessions: row.uniqueSessions,
    viewed: recorded.filter((recording) => recording.is_watched).length,
    oldest: formatInstant(row.oldest),
    newest: formatInstant(row.newest),
    visitors: new Set(recorded.map(({ visitor }) => visitor)).size,
    unrecorded: row.sessions.length - recorded.length,
    pages: commonest(recorded.map(({ page }) => page)),
    browsers: commonest(recorded.map(({ browser }) => browser)),
    reopened: row.state === 'open' && change?.state === 'resolved',
    changed: change ? { by: change.actor, at: formatInstant(change.changed_at) } : null,
    best: best && { id: best.session_id, timestamp: formatInstant(best.first) },
  })
}

/** Counts equal names, most frequent first. */
function commonest(names: readonly (string | null)[]): ErrorCluster['pages'] {
  const known = names.filter((name) => name !== null)
  return [...Map.groupBy(known, (name) => name)]
    .map(([name, all]) => ({ name, recordings: all.length }))
    .toSorted((a, b) => b.recordings - a.recordings)
    .slice(0, placesMax)
}

/** Returns the shortest recording that shows the cause of the error, or else the shortest of all. */
function bestOf(recorded: readonly ErrorRecording[]): ErrorRecording | null {
  const withLead = recorded.filter(({ first, start_time }) => first - start_time.getTime() >= leadMs)
  const shortest = (withLead.length > 0 ? withLead : recorded).toSorted(
    (a, b) => a.recording_duration - b.recording_duration,
  )
  return shortest[0] ?? null
}
