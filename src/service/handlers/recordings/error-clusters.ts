import { ErrorCluster } from '../../../contract/recordings/error-cluster.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { invalidInput } from '../../problems/api-error.ts'
import {
  countErrorClusters,
  findErrorClusters,
  newestException,
  newestEntries,
  newestSessions,
  type ClusterRow,
} from '../../recordings/error-clusters.ts'
import { readStack } from '../../recordings/read-stack.ts'
import { errorRecordings, type ErrorRecording } from '../../store/recordings/error-recordings.ts'
import { findRecordings } from '../../store/recordings/session-recordings.ts'
import { triageOf, type TriageRow } from '../../store/triage/triage.ts'
import { errorState } from '../../store/triage/triage-state.ts'
import { assigneeTest, changeTriage, isMine, showAssignees, showTriage } from '../triage.ts'
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
export const errorClusters: Handler<'errorClusters'> = async ({ services, caller, project, query }) => {
  const changes = await triageOf(services.store, project, 'error')
  const rows = [...changes.values()]
  const matches = assigneeTest(caller, query.assignee)
  // Errors that nobody has touched are not among the rows, so those of nobody are all but the assigned ones.
  const among = matches && {
    clusters: clustersOf(rows.filter((row) => matches(row) === (query.assignee !== 'none'))),
    isIn: query.assignee !== 'none',
  }
  const mine = clustersOf(rows.filter((row) => isMine(caller, row)))
  const [clusters, counts] = await Promise.all([
    findErrorClusters(services, project.id, rows, { ...query, among }),
    countErrorClusters(services, project.id, rows, { among, mine }),
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
    showCluster(row, recordings.get(row.cluster) ?? [], changes.get(String(row.cluster))),
  )
  const best = results[0]?.best
  return { ...(await showSession(services, project.id, best?.id)), results, counts }
}

/** Assigns all these errors and sets their state, or none if one of them does not exist. */
export const updateErrorClusters: Handler<'updateErrorClusters'> = async (request) => {
  const { services, project, body } = request
  const newest = await newestEntries(services, project.id, body.clusters)
  const unknown = body.clusters.find((cluster) => !newest.has(cluster))
  if (unknown !== undefined)
    throw invalidInput(`There is no error ${unknown}: list the errors again.`, ['clusters'])
  // Messages can name visitors.
  const names = new Map(body.clusters.map((cluster) => [String(cluster), null]))
  const stateOf = (row: TriageRow) => errorState(row, newest.get(Number(row.key)) ?? 0)
  const rows = await changeTriage(request, 'error', { names, stateOf }, body)
  return {
    success: true,
    results: rows.map((row) => ({ cluster: Number(row.key), state: stateOf(row), ...showTriage(row) })),
  }
}

export const errorAssignees: Handler<'errorAssignees'> = (request) => showAssignees(request, 'error')

function clustersOf(rows: readonly TriageRow[]): number[] {
  return rows.map(({ key }) => Number(key))
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
  change: TriageRow | undefined,
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
    ...showTriage(change),
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
