import { sql } from 'kysely'
import type { Services } from '../../services.ts'
import { EventType } from '../../../replay/recorded/rrweb.ts'
import { readBlock } from '../../snapshots/blocks.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { rowsOf } from '../../store/schema/database.ts'
import { safeText } from '../../engines/safe-text.ts'
import { urlLengthMax } from '../../snapshots/recording-counts.ts'
import { pathSteps, type PathRow } from './path-steps.ts'
import { pathVector } from './path-vector.ts'

/** Delay (ms) after a session's last data before its path is computed. */
const quietMs = 5000
const batchSize = 300
const pageEvents: ReadonlySet<string> = new Set(['$pageview', '$screen'])
const day = 86_400_000
/** Blocks read per session; the start of its path is enough for comparison. */
const blocksMax = 50

type PathServices = Pick<Services, 'store' | 'warehouse' | 'objects' | 'clock'>
type Pending = Pick<
  RecordingRow,
  'id' | 'project_id' | 'session_id' | 'start_time' | 'end_time' | 'last_updated_at'
>

/** Computes the paths of sessions with new data; resolves to their number, at most `batchSize`. */
export async function computePaths(services: PathServices) {
  const pending = await rowsOf<Pending>(services.store)`
    SELECT id, project_id, session_id, start_time, end_time, last_updated_at FROM session_recordings
    WHERE deleted_at IS NULL AND (path_made_at IS NULL OR path_made_at < last_updated_at)
      AND last_updated_at <= ${new Date(services.clock.now() - quietMs)}
    ORDER BY last_updated_at LIMIT ${batchSize}`
  const byProject = Map.groupBy(pending, (recording) => recording.project_id)
  for (const [projectId, recordings] of byProject) await computePathsOf(services, projectId, recordings)
  return pending.length
}

/** Computes and stores the paths of sessions of one project, and the first page of a session whose replay names none. */
export async function computePathsOf(
  services: PathServices,
  projectId: number,
  recordings: readonly Pending[],
) {
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

/** Reads the pages of a path from the replay, for sessions without captured pageviews. */
async function pagesInReplay({ store, objects }: PathServices, recording: Pending) {
  const blocks = await rowsOf<{ object_key: string }>(store)`SELECT object_key FROM session_recording_blocks
    WHERE recording_id = ${recording.id} ORDER BY start_time LIMIT ${blocksMax}`
  const pages: PathRow[] = []
  for (const { object_key } of blocks) {
    const block = await readBlock(objects, object_key)
    for (const line of block.toString('utf8').split('\n')) {
      // Nearly all lines are other events, and parsing them would take most of the time.
      if (line.includes(`"type":${EventType.Meta}`)) pages.push(...pageOf(JSON.parse(line)))
    }
  }
  return pages
}

function pageOf(line: [windowId: string, event: Record<string, unknown>]): PathRow[] {
  const { type, timestamp, data } = line[1]
  if (type !== EventType.Meta || typeof timestamp !== 'number' || typeof data !== 'object' || data === null)
    return []
  if (!('href' in data) || typeof data.href !== 'string') return []
  const text = new Date(timestamp).toISOString().replace('T', ' ').replace('Z', '')
  return [{ timestamp: text, event: 'page', url: data.href, action: '', elements_chain: '', pattern: '' }]
}

async function pathRows({ warehouse }: PathServices, team: number, recordings: readonly Pending[]) {
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
