import type { Services } from '../services.ts'

const clustersMax = 50
const sessionsMax = 100
const day = 86_400_000
const daysShown = 7

/** A session in which an error came up, and when first (milliseconds since the epoch). */
type ClusterSession = { id: string; first: number }

export type ClusterRow = {
  cluster: number
  pattern: string
  /** The newest message. */
  sample: string
  occurrences: number
  uniqueSessions: number
  /** Milliseconds since the epoch. */
  newest: number
  /** By day (UTC, YYYY-MM-DD), the last seven with those without any. */
  sparkline: Record<string, number>
  /** Newest first, at most a hundred. */
  sessions: ClusterSession[]
}

type Row = Omit<ClusterRow, 'sparkline' | 'sessions' | 'uniqueSessions'> & {
  unique_sessions: number
  days: [string[], number[]]
  sessions: [newest: number, id: string, first: number][]
}

/** The errors and exceptions of a project by what their messages have in common, the most frequent first. */
export async function findErrorClusters(
  { warehouse, clock }: Pick<Services, 'warehouse' | 'clock'>,
  team: number,
): Promise<ClusterRow[]> {
  const today = Math.floor(clock.now() / day) * day
  const days = Array.from({ length: daysShown }, (_, index) =>
    new Date(today - (daysShown - 1 - index) * day).toISOString().slice(0, 10),
  )
  const rows = await warehouse.query<Row>(
    `SELECT cluster, any(pattern) AS pattern, argMax(sample, last) AS sample, sum(times) AS occurrences,
      count() AS unique_sessions, toUnixTimestamp64Milli(max(last)) AS newest, sumMap(days, counts) AS days,
      arraySlice(arrayReverseSort(groupArray((toUnixTimestamp64Milli(last), session_id, toUnixTimestamp64Milli(first)))), 1, ${sessionsMax}) AS sessions
    FROM (
      SELECT cluster, session_id, any(pattern) AS pattern, count() AS times, min(timestamp) AS first, max(timestamp) AS last,
        argMax(message, timestamp) AS sample,
        sumMapIf([toString(toDate(timestamp))], [1], timestamp >= parseDateTimeBestEffort({since: String}, 'UTC')) AS by_day,
        by_day.1 AS days, by_day.2 AS counts
      FROM console_entries FINAL
      WHERE team_id = {team: Int64} AND level IN ('error', 'exception') AND cluster != 0
      GROUP BY cluster, session_id
    ) GROUP BY cluster ORDER BY occurrences DESC, unique_sessions DESC, cluster LIMIT ${clustersMax}`,
    { params: { team, since: `${days[0]} 00:00:00` } },
  )
  return rows.map(({ unique_sessions, days: [names, counts], sessions, ...row }) => ({
    ...row,
    uniqueSessions: unique_sessions,
    sparkline: Object.fromEntries(days.map((name) => [name, counts[names.indexOf(name)] ?? 0])),
    sessions: sessions.map(([, id, first]) => ({ id, first })),
  }))
}
