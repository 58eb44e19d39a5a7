import type { Services } from '../services.ts'

const clustersMax = 50
const sessionsMax = 100
/** Newest entries of each cluster to search for its newest sessions. */
const entriesMax = 400
const day = 86_400_000
const dayCount = 7

type ClusterSession = {
  id: string
  /** Earliest of the session's entries among the cluster's newest, in milliseconds since the epoch. */
  first: number
}

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
  /** Occurrences by day (UTC, YYYY-MM-DD) for the last seven days, zeros included. */
  sparkline: Record<string, number>
  /** Newest first, at most 100. */
  sessions: ClusterSession[]
}

type ClusterServices = Pick<Services, 'warehouse' | 'clock'>

/** Finds a project's clusters of errors and exceptions with similar messages, most frequent first. */
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
  return Array.from({ length: dayCount }, (_, index) =>
    new Date(today - (dayCount - 1 - index) * day).toISOString().slice(0, 10),
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
