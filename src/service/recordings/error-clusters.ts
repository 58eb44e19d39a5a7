import type { Services } from '../services.ts'

const clustersMax = 50
const sessionsMax = 100
/** The newest entries of each cluster among which its newest sessions are looked for. */
const entriesMax = 400
const day = 86_400_000
const daysShown = 7

/** A session in which an error came up, and when first among its newest entries (milliseconds since the epoch). */
type ClusterSession = { id: string; first: number }

type Cluster = {
  cluster: number
  pattern: string
  /** The newest message. */
  sample: string
  occurrences: number
  uniqueSessions: number
  /** Milliseconds since the epoch. */
  newest: number
}

export type ClusterRow = Cluster & {
  /** By day (UTC, YYYY-MM-DD), the last seven with those without any. */
  sparkline: Record<string, number>
  /** Newest first, at most a hundred. */
  sessions: ClusterSession[]
}

type ClusterServices = Pick<Services, 'warehouse' | 'clock'>

/** The errors and exceptions of a project by what their messages have in common, the most frequent first. */
export async function findErrorClusters(services: ClusterServices, team: number): Promise<ClusterRow[]> {
  const days = lastDays(services.clock.now())
  const clusters = await largestClusters(services, team, days)
  const sessions = await newestSessions(
    services,
    team,
    clusters.map(({ cluster }) => cluster),
  )
  return clusters.map(({ byDay: [names, counts], ...cluster }) => ({
    ...cluster,
    sparkline: Object.fromEntries(days.map((name) => [name, counts[names.indexOf(name)] ?? 0])),
    sessions: sessions.get(cluster.cluster) ?? [],
  }))
}

function lastDays(now: number): string[] {
  const today = Math.floor(now / day) * day
  return Array.from({ length: daysShown }, (_, index) =>
    new Date(today - (daysShown - 1 - index) * day).toISOString().slice(0, 10),
  )
}

function largestClusters({ warehouse }: ClusterServices, team: number, days: readonly string[]) {
  return warehouse.query<Cluster & { byDay: [string[], number[]] }>(
    `SELECT cluster, any(entries.pattern) AS pattern, argMax(message, timestamp) AS sample, count() AS occurrences,
      uniqExact(cityHash64(session_id)) AS uniqueSessions, toUnixTimestamp64Milli(max(timestamp)) AS newest,
      (arrayMap(one -> toString(one), (sumMapIf([toDate(timestamp)], [1], timestamp >= parseDateTimeBestEffort({since: String}, 'UTC')) AS days).1), days.2) AS byDay
    FROM console_entries AS entries FINAL WHERE team_id = {team: Int64} AND cluster != 0
    GROUP BY cluster ORDER BY occurrences DESC, uniqueSessions DESC, cluster LIMIT ${clustersMax}`,
    { params: { team, since: `${days[0]} 00:00:00` } },
  )
}

async function newestSessions(
  { warehouse }: ClusterServices,
  team: number,
  clusters: readonly number[],
): Promise<Map<number, ClusterSession[]>> {
  const rows = await warehouse.query<{ cluster: number; id: string; first: number }>(
    `SELECT cluster, session_id AS id, toUnixTimestamp64Milli(min(timestamp)) AS first FROM (
      SELECT cluster, session_id, timestamp FROM console_entries
      WHERE team_id = {team: Int64} AND cluster IN {clusters: Array(UInt32)}
      ORDER BY cluster DESC, timestamp DESC LIMIT ${entriesMax} BY cluster
    ) GROUP BY cluster, session_id ORDER BY max(timestamp) DESC LIMIT ${sessionsMax} BY cluster`,
    { params: { team, clusters } },
  )
  return Map.groupBy(rows, (row) => row.cluster)
}
