import { sql } from 'kysely'
import type { Services } from '../../services.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { safeText } from '../../engines/safe-text.ts'
import { urlLengthMax } from '../../snapshots/recording-counts.ts'
import { pagesInReplay } from './path-pages.ts'
import { pathSteps, type PathRow } from './path-steps.ts'
import { pathVector } from './path-vector.ts'

/** Delay (ms) after a session's last data before its path is computed. */
const quietMs = 5000
const batchSize = 300
const pageEvents: ReadonlySet<string> = new Set(['$pageview', '$screen'])
const day = 86_400_000

type PathServices = Pick<Services, 'store' | 'warehouse' | 'objects' | 'clock'>
type Pending = Pick<
  RecordingRow,
  'id' | 'project_id' | 'session_id' | 'start_time' | 'end_time' | 'last_updated_at'
>

/** Computes the paths of sessions with new data; resolves to their number, at most `batchSize`. */
export async function computePaths(services: PathServices): Promise<number> {
  const pending = await services.store
    .selectFrom('session_recordings')
    .select(['id', 'project_id', 'session_id', 'start_time', 'end_time', 'last_updated_at'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(path_made_at IS NULL OR path_made_at < last_updated_at)`)
    .where('last_updated_at', '<=', new Date(services.clock.now() - quietMs))
    .orderBy('last_updated_at')
    .limit(batchSize)
    .execute()
  const byProject = Map.groupBy(pending, (recording) => recording.project_id)
  for (const [projectId, recordings] of byProject) await computePathsOf(services, projectId, recordings)
  return pending.length
}

/** Computes and stores the paths of sessions of one project, and the first page of a session whose replay names none. */
export async function computePathsOf(
  services: PathServices,
  projectId: number,
  recordings: readonly Pending[],
): Promise<void> {
  const rows = await pathRows(services, projectId, recordings)
  const updated_at = new Date(services.clock.now()).toISOString()
  const lines: string[] = []
  for (const recording of recordings) {
    const own = rows.get(recording.session_id) ?? []
    const isPaged = own.some(({ event }) => pageEvents.has(event))
    const steps = pathSteps(isPaged ? own : [...own, ...(await pagesInReplay(services, recording))])
    const { session_id } = recording
    lines.push(
      JSON.stringify({ team_id: projectId, session_id, steps, vector: pathVector(steps), updated_at }),
    )
  }
  await services.warehouse.insert('session_paths', lines.join('\n'))
  const pages = recordings.map(({ session_id }) => firstPage(rows.get(session_id) ?? []))
  await sql`
    UPDATE session_recordings AS recording SET path_made_at = made.at,
      start_url = CASE start_url WHEN '' THEN coalesce(made.page, '') ELSE start_url END,
      start_url_at = CASE start_url WHEN '' THEN made.page_at ELSE start_url_at END
    FROM unnest(${recordings.map(({ id }) => id)}::bigint[],
      ${recordings.map(({ last_updated_at }) => last_updated_at)}::timestamptz[],
      ${pages.map((page) => page?.url ?? null)}::text[],
      ${pages.map((page) => (page ? `${page.timestamp}Z` : null))}::timestamptz[]) AS made (id, at, page, page_at)
    WHERE recording.id = made.id`.execute(services.store)
}

/** Returns the first page or screen that the site or app reported. */
function firstPage(rows: readonly PathRow[]): Pick<PathRow, 'url' | 'timestamp'> | undefined {
  const page = rows.find(({ event, url }) => pageEvents.has(event) && url !== '')
  return page && { timestamp: page.timestamp, url: safeText(page.url, urlLengthMax) }
}

async function pathRows(
  { warehouse }: PathServices,
  team: number,
  recordings: readonly Pending[],
): Promise<Map<string, PathRow[]>> {
  const from = Math.min(...recordings.map((recording) => recording.start_time.getTime())) - day
  const to = Math.max(...recordings.map((recording) => recording.end_time.getTime())) + day
  const params = {
    team,
    sessions: recordings.map((recording) => recording.session_id),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  }
  const rows = await warehouse.query<PathRow & { session_id: string }>(
    `SELECT session_id, toString(timestamp) AS timestamp, event, url, action, elements_chain, pattern FROM (
      SELECT session_id, toDateTime64(timestamp, 3, 'UTC') AS timestamp, event,
        coalesce(nullIf(JSONExtractString(properties, '$current_url'), ''), JSONExtractString(properties, '$screen_name')) AS url,
        JSONExtractString(properties, '$event_type') AS action, substring(elements_chain, 1, 2000) AS elements_chain, '' AS pattern
      FROM events
      WHERE team_id = {team: Int64} AND session_id IN {sessions: Array(String)} AND event != '$exception'
        AND timestamp BETWEEN parseDateTime64BestEffort({from: String}, 3, 'UTC') AND parseDateTime64BestEffort({to: String}, 3, 'UTC')
      UNION ALL
      SELECT session_id, timestamp, 'console', '', '', '', pattern FROM console_entries
      WHERE team_id = {team: Int64} AND level IN ('error', 'exception') AND session_id IN {sessions: Array(String)}
    ) ORDER BY session_id, timestamp LIMIT 1000 BY session_id`,
    { params },
  )
  return Map.groupBy(rows, (row) => row.session_id)
}
