import type { ErrorState } from '../../contract/recordings/error-cluster.ts'
import { shownPattern } from '../../contract/recordings/shown-pattern.ts'
import { safeText } from '../engines/safe-text.ts'
import type { Services } from '../services.ts'
import type { TriageRow } from '../store/triage/triage.ts'

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

type Counted = {
  cluster: number
  occurrences: number
  /** Milliseconds since the epoch. */
  oldest: number
  newest: number
  state: ErrorState
}

type Detail = {
  pattern: string
  /** The newest message. */
  sample: string
  uniqueSessions: number
  /** Dates (UTC) of the last days with entries, and their numbers. */
  byDay: [string[], number[]]
}

export type ClusterRow = Counted &
  Omit<Detail, 'byDay'> & {
    /** Occurrences by day (UTC, YYYY-MM-DD) for the last seven days, zeros included. */
    sparkline: Record<string, number>
    /** Newest first, at most 100. */
    sessions: ClusterSession[]
  }

/** Only these clusters or, unless `isIn`, all others. */
type Among = { clusters: readonly number[]; isIn: boolean } | null

type Listed = {
  state?: ErrorState | undefined
  among?: Among
  order?: 'occurrences' | 'trend'
  limit?: number
}

type Engine = Pick<Services, 'warehouse'>
type Changes = readonly Pick<TriageRow, 'key' | 'state' | 'state_at'>[]

/**
 * Finds a project's clusters of errors and exceptions with similar messages, most frequent first, of equal ones the newest; with
 * `state`, those in that state; ordered by `trend`, new and growing ones come first. `changes` are the states that someone has set.
 */
export async function findErrorClusters(
  services: Pick<Services, 'warehouse' | 'clock'>,
  team: number,
  changes: Changes = [],
  listed: Listed = {},
): Promise<ClusterRow[]> {
  const days = lastDays(services.clock.now())
  const clusters = await largestClusters(services, team, days, changes, listed)
  const ids = clusters.map(({ cluster }) => cluster)
  const [details, sessions] = await Promise.all([
    detailsOf(services, team, days, ids),
    newestSessions(services, team, ids),
  ])
  return clusters.flatMap((cluster) => {
    const found = details.get(cluster.cluster)
    if (!found) return []
    const { byDay, ...detail } = found
    const [names, counts] = byDay
    return {
      ...cluster,
      ...detail,
      pattern: shownPattern(detail.pattern),
      sparkline: Object.fromEntries(days.map((name) => [name, counts[names.indexOf(name)] ?? 0])),
      sessions: sessions.get(cluster.cluster) ?? [],
    }
  })
}

/** Counts a project's clusters in each state among some, and in `mine` the open ones of these clusters. */
export async function countErrorClusters(
  { warehouse }: Engine,
  team: number,
  changes: Changes,
  { among, mine }: { among: Among; mine: readonly number[] },
) {
  const rows = await warehouse.query<{ state: ErrorState; count: number; mine: number }>(
    `SELECT ${stateSql('newest')} AS state, countIf(${amongSql(among)}) AS count,
      countIf(state = 'open' AND cluster IN {mine: Array(UInt32)}) AS mine FROM (
      SELECT cluster, max(timestamp) AS newest FROM console_entries
      WHERE team_id = {team: Int64} AND cluster != 0 GROUP BY cluster
    ) GROUP BY state`,
    { params: { team, mine, ...amongParams(among), ...stateParams(changes) } },
  )
  const counts = { open: 0, resolved: 0, ignored: 0, mine: 0 }
  for (const row of rows) {
    counts[row.state] += Number(row.count)
    counts.mine += Number(row.mine)
  }
  return counts
}

/** Returns the clusters whose first entry is newer than `since` (milliseconds), newest first. */
export async function newClusters({ warehouse }: Engine, team: number, since: number, max: number) {
  const rows = await warehouse.query<{ cluster: number; first: number }>(
    `SELECT cluster, toUnixTimestamp64Milli(min(timestamp)) AS first FROM console_entries
    WHERE team_id = {team: Int64} AND cluster != 0
    GROUP BY cluster HAVING first > {since: Int64} ORDER BY first DESC LIMIT {max: UInt32}`,
    { params: { team, since, max } },
  )
  return rows.map(({ cluster, first }) => ({ cluster: Number(cluster), first: Number(first) }))
}

/** Returns the patterns of those clusters that exist, as pages show them, by cluster; an imported one can contain NUL, which is replaced. */
export async function patternsOf({ warehouse }: Engine, team: number, clusters: readonly number[]) {
  const rows = await warehouse.query<{ cluster: number; pattern: string }>(
    `SELECT cluster, any(entries.pattern) AS pattern FROM console_entries AS entries
    WHERE team_id = {team: Int64} AND cluster IN {clusters: Array(UInt32)} GROUP BY cluster`,
    { params: { team, clusters } },
  )
  return new Map(rows.map(({ cluster, pattern }) => [cluster, safeText(shownPattern(pattern), Infinity)]))
}

/** Returns the time (ms) of the newest entry of those clusters that exist. */
export async function newestEntries({ warehouse }: Engine, team: number, clusters: readonly number[]) {
  const rows = await warehouse.query<{ cluster: number; newest: number }>(
    `SELECT cluster, toUnixTimestamp64Milli(max(timestamp)) AS newest FROM console_entries
    WHERE team_id = {team: Int64} AND cluster IN {clusters: Array(UInt32)} GROUP BY cluster`,
    { params: { team, clusters } },
  )
  return new Map(rows.map(({ cluster, newest }) => [Number(cluster), Number(newest)]))
}

function amongSql(among: Among): string {
  return among ? `cluster ${among.isIn ? 'IN' : 'NOT IN'} {among: Array(UInt32)}` : 'true'
}

function amongParams(among: Among) {
  return among ? { among: among.clusters } : {}
}

/** The state of `cluster`, whose newest entry is at `newest`; the rule is that of `errorState`. */
function stateSql(newest: string): string {
  const resolvedAt = '{resolvedAt: Array(Int64)}[indexOf({resolved: Array(UInt32)}, cluster)]'
  return `multiIf(cluster IN {ignored: Array(UInt32)}, 'ignored', has({resolved: Array(UInt32)}, cluster)
    AND toUnixTimestamp64Milli(${newest}) <= ${resolvedAt}, 'resolved', 'open')`
}

function stateParams(changes: Changes) {
  const resolved = changes.filter(({ state }) => state === 'resolved')
  return {
    ignored: changes.filter(({ state }) => state === 'ignored').map(({ key }) => Number(key)),
    resolved: resolved.map(({ key }) => Number(key)),
    resolvedAt: resolved.map((row) => row.state_at?.getTime() ?? 0),
  }
}

function lastDays(now: number): string[] {
  const today = Math.floor(now / day) * day
  return Array.from({ length: dayCount }, (_, index) =>
    new Date(today - (dayCount - 1 - index) * day).toISOString().slice(0, 10),
  )
}

function largestClusters(
  { warehouse }: Engine,
  team: number,
  days: readonly string[],
  changes: Changes,
  { state, among = null, order = 'occurrences', limit = 50 }: Listed,
) {
  const isToday = "timestamp >= parseDateTimeBestEffort({today: String}, 'UTC')"
  const isRecent = "timestamp >= parseDateTimeBestEffort({since: String}, 'UTC')"
  // A third of the entries of six days is twice those of a day.
  const trend = `min(${isRecent}) OR countIf(${isToday}) > countIf(${isRecent} AND NOT ${isToday}) / 3`
  // Texts, sessions and days of all clusters would take most of the time: they are read of those that are listed.
  return warehouse.query<Counted>(
    `SELECT cluster, count() AS occurrences,
      toUnixTimestamp64Milli(min(timestamp)) AS oldest, toUnixTimestamp64Milli(max(timestamp)) AS newest,
      ${stateSql('max(timestamp)')} AS state
    FROM console_entries AS entries FINAL WHERE team_id = {team: Int64} AND cluster != 0
      AND ${amongSql(among)}
    GROUP BY cluster HAVING {state: String} IN ('', state)
    ORDER BY ${order === 'trend' ? `(${trend}) DESC, ` : ''}occurrences DESC, newest DESC, cluster LIMIT {limit: UInt32}`,
    {
      params: {
        team,
        limit,
        today: `${days.at(-1)} 00:00:00`,
        since: `${days[0]} 00:00:00`,
        state: state ?? '',
        ...amongParams(among),
        ...stateParams(changes),
      },
    },
  )
}

/** Returns what else is shown of these clusters, by cluster. */
async function detailsOf(
  { warehouse }: Engine,
  team: number,
  [since]: readonly string[],
  clusters: readonly number[],
): Promise<Map<number, Detail>> {
  const rows = await warehouse.query<Detail & { cluster: number }>(
    `SELECT cluster, any(entries.pattern) AS pattern, argMax(message, timestamp) AS sample,
      uniqExact(cityHash64(session_id)) AS uniqueSessions,
      (arrayMap(one -> toString(one), (sumMapIf([toDate(timestamp)], [1], timestamp >= parseDateTimeBestEffort({since: String}, 'UTC')) AS days).1), days.2) AS byDay
    FROM console_entries AS entries FINAL WHERE team_id = {team: Int64} AND cluster IN {clusters: Array(UInt32)}
    GROUP BY cluster`,
    { params: { team, clusters, since: `${since} 00:00:00` } },
  )
  return new Map(rows.map(({ cluster, ...detail }) => [cluster, detail]))
}

/** Returns the newest sessions of each cluster, newest first, at most 100. */
export async function newestSessions({ warehouse }: Engine, team: number, clusters: readonly number[]) {
  const rows = await warehouse.query<ClusterSession & { cluster: number }>(
    `SELECT cluster, session_id AS id, toUnixTimestamp64Milli(min(timestamp)) AS first FROM (
      SELECT cluster, session_id, timestamp FROM console_entries
      WHERE team_id = {team: Int64} AND cluster IN {clusters: Array(UInt32)}
      ORDER BY cluster DESC, timestamp DESC LIMIT ${entriesMax} BY cluster
    ) GROUP BY cluster, session_id ORDER BY max(timestamp) DESC LIMIT ${sessionsMax} BY cluster`,
    { params: { team, clusters } },
  )
  return Map.groupBy(rows, (row) => row.cluster)
}

/** Returns the properties (JSON text) of the newest captured exception of a cluster; null if no exception was captured. */
export async function newestException({ warehouse }: Engine, team: number, cluster: number) {
  const rows = await warehouse.query<{ properties: string }>(
    `WITH (SELECT (session_id, item) FROM console_entries
      WHERE team_id = {team: Int64} AND cluster = {cluster: UInt32} AND level = 'exception'
      ORDER BY timestamp DESC LIMIT 1) AS entry
    SELECT properties FROM events
    WHERE team_id = {team: Int64} AND session_id = entry.1 AND uuid = entry.2 AND event = '$exception' LIMIT 1`,
    { params: { team, cluster } },
  )
  return rows[0]?.properties ?? null
}
