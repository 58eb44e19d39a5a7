import type { Services } from '../../services.ts'
import { compareWays, type PathComparison } from './similar-ways.ts'

/** So many are found by their vectors, and then compared step by step. */
const candidatesMax = 80

type SimilarWay = PathComparison & { sessionId: string }

/** Sessions of a project that went a similar way, nearest first; some of them may have been deleted. */
export async function findSimilarWays(
  { warehouse }: Pick<Services, 'warehouse'>,
  projectId: number,
  sessionId: string,
): Promise<SimilarWay[]> {
  const here = await waysOf({ warehouse }, projectId, [sessionId])
  const steps = here.get(sessionId)
  if (!steps || steps.length === 0) return []
  const candidates = await nearest({ warehouse }, projectId, sessionId)
  const ways = await waysOf({ warehouse }, projectId, candidates)
  return [...ways]
    .map(([id, there]) => ({ sessionId: id, ...compareWays(steps, there) }))
    .filter(({ distance }) => distance < 1)
    .sort((a, b) => a.distance - b.distance || (a.sessionId < b.sessionId ? -1 : 1))
}

/** Without FINAL, which takes longer than the search: a way that was worked out twice may come twice. */
async function nearest(
  { warehouse }: Pick<Services, 'warehouse'>,
  team: number,
  session: string,
): Promise<string[]> {
  const rows = await warehouse.query<{ session_id: string }>(
    `WITH (SELECT argMax(vector, updated_at) FROM session_paths WHERE team_id = {team: Int64} AND session_id = {session: String}) AS here
    SELECT session_id FROM session_paths
    WHERE team_id = {team: Int64} AND notEmpty(vector) AND session_id != {session: String}
    ORDER BY cosineDistance(vector, here) LIMIT ${candidatesMax}`,
    { params: { team, session } },
  )
  return [...new Set(rows.map((row) => row.session_id))]
}

async function waysOf(
  { warehouse }: Pick<Services, 'warehouse'>,
  team: number,
  sessions: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await warehouse.query<{ session_id: string; steps: string[] }>(
    `SELECT session_id, argMax(steps, updated_at) AS steps FROM session_paths
    WHERE team_id = {team: Int64} AND session_id IN {sessions: Array(String)} GROUP BY session_id`,
    { params: { team, sessions } },
  )
  return new Map(rows.map((row) => [row.session_id, row.steps]))
}
