import type { Services } from '../../services.ts'
import { comparePaths } from './path-distance.ts'

/** Sessions with the nearest vectors, which are then compared step by step. */
const candidatesMax = 80

type Engine = Pick<Services, 'warehouse'>

/** Finds sessions of a project with similar paths, nearest first; some may have been deleted. */
export async function findSimilarPaths(engine: Engine, projectId: number, sessionId: string) {
  const here = await pathsOf(engine, projectId, [sessionId])
  const steps = here.get(sessionId)
  if (!steps || steps.length === 0) return []
  const candidates = await nearest(engine, projectId, sessionId)
  const paths = await pathsOf(engine, projectId, candidates)
  return [...paths]
    .map(([id, there]) => ({ sessionId: id, ...comparePaths(steps, there) }))
    .filter(({ distance }) => distance < 1)
    .sort((a, b) => a.distance - b.distance || (a.sessionId < b.sessionId ? -1 : 1))
}

/** Finds the sessions with the nearest vectors. Deduplicates rows itself, since FINAL takes longer than the search. */
async function nearest({ warehouse }: Engine, team: number, session: string) {
  const rows = await warehouse.query<{ session_id: string }>(
    `WITH (SELECT argMax(vector, updated_at) FROM session_paths WHERE team_id = {team: Int64} AND session_id = {session: String}) AS here
    SELECT session_id FROM session_paths
    WHERE team_id = {team: Int64} AND notEmpty(vector) AND session_id != {session: String}
    ORDER BY cosineDistance(vector, here) LIMIT ${candidatesMax}`,
    { params: { team, session } },
  )
  return [...new Set(rows.map((row) => row.session_id))]
}

/** Reads paths of sessions, by their ids. */
async function pathsOf({ warehouse }: Engine, team: number, sessions: readonly string[]) {
  const read = (table: string, ids: readonly string[]) =>
    warehouse.query<{ session_id: string; steps: string[] }>(
      `SELECT session_id, argMax(steps, updated_at) AS steps FROM ${table}
      WHERE team_id = {team: Int64} AND session_id IN {sessions: Array(String)} GROUP BY session_id`,
      { params: { team, sessions: ids } },
    )
  const found = await read('session_steps', sessions)
  const known = new Set(found.map((row) => row.session_id))
  const others = sessions.filter((id) => !known.has(id))
  const older = others.length === 0 ? [] : await read('session_paths', others)
  return new Map([...found, ...older].map((row) => [row.session_id, row.steps]))
}
