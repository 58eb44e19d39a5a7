import { sql } from 'kysely'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import { updateRows } from '../schema/rows.ts'
import type { RecordingRow } from './session-recordings.ts'

/** Largest number of different reasons per recording; further files count under `otherReason`. */
const reasonsMax = 20
const otherReason = 'Other reasons.'

export type FoundFile = { url: string; is_stylesheet: boolean }
type Found = {
  recording: Pick<RecordingRow, 'id' | 'project_id'>
  files: readonly FoundFile[]
  depth: number
}

/**
 * Adds the files that a recording names for the first time, as long as it names at most `countMax`; returns how many more
 * there are than `room`, which are not added.
 */
export async function insertFoundFiles(
  transaction: StoreTransaction,
  { recording, files, depth }: Found,
  { countMax, room }: { countMax: number; room: number },
) {
  const { wanted, count } = await wantedFiles(transaction, recording.id, files, countMax)
  const rows = wanted
    .slice(0, room)
    .map((file, index) => ({ ...file, host: new URL(file.url).hostname, turn: count + index }))
  if (rows.length > 0)
    await sql`
      INSERT INTO session_recording_assets (recording_id, project_id, depth, url, host, is_stylesheet, turn)
      SELECT ${recording.id}, ${recording.project_id}, ${depth}, url, host, is_stylesheet, turn
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS file (url text, host text, is_stylesheet boolean, turn integer)
      ON CONFLICT (recording_id, url) DO NOTHING`.execute(transaction)
  return wanted.length - rows.length
}

/** Counts the files that a recording names for the first time and that will not be fetched, up to `countMax` in total. */
export async function refuseFoundFiles(
  transaction: StoreTransaction,
  { recording, files }: Pick<Found, 'recording' | 'files'>,
  { reason, countMax }: { reason: string; countMax: number },
) {
  const { wanted } = await wantedFiles(transaction, recording.id, files, countMax)
  const urls = wanted.map(({ url }) => url)
  if (urls.length > 0) await addRefusedFiles(transaction, recording.id, { urls, reason })
}

/** Counts missing files of a recording by reason, and remembers hashes of their URLs. */
export async function addRefusedFiles(
  transaction: StoreTransaction,
  recordingId: number,
  { urls, reason }: { urls: readonly string[]; reason: string },
) {
  await sql`
    INSERT INTO session_recording_refused_assets AS refused (recording_id, url_hashes, reasons)
    SELECT ${recordingId}, array_agg(hashtextextended(url, 0)), jsonb_build_object(${reason}::text, count(*))
    FROM unnest(${urls}::text[]) AS url
    ON CONFLICT (recording_id) DO UPDATE SET url_hashes = refused.url_hashes || excluded.url_hashes,
      reasons = refused.reasons || (
        SELECT jsonb_build_object(name, coalesce((refused.reasons ->> name)::integer, 0) + cardinality(excluded.url_hashes))
        FROM (SELECT CASE WHEN jsonb_exists(refused.reasons, ${reason})
          OR (SELECT count(*) FROM jsonb_object_keys(refused.reasons)) < ${reasonsMax}
          THEN ${reason}::text ELSE ${otherReason}::text END AS name))`.execute(transaction)
}

/** Returns the files that a recording has not named yet, up to `countMax` in total, and the number of those that it has. */
async function wantedFiles(
  transaction: StoreTransaction,
  recordingId: number,
  files: readonly FoundFile[],
  countMax: number,
) {
  const [found] = await rowsOf<{ count: number; places: number[] }>(transaction)`
    WITH refused AS MATERIALIZED (
      SELECT unnest(url_hashes) AS hash FROM session_recording_refused_assets WHERE recording_id = ${recordingId}
    ), known AS MATERIALIZED (SELECT url FROM session_recording_assets WHERE recording_id = ${recordingId})
    SELECT (SELECT count(*) FROM refused) + (SELECT count(*) FROM known) AS count, ARRAY (
      SELECT place FROM unnest(${files.map(({ url }) => url)}::text[]) WITH ORDINALITY AS file (url, place)
      WHERE url NOT IN (SELECT url FROM known) AND hashtextextended(url, 0) NOT IN (SELECT hash FROM refused)
      ORDER BY place)::integer[] AS places`
  const { count = 0, places = [] } = found ?? {}
  const unknown = places.flatMap((place) => files[place - 1] ?? [])
  return { wanted: unknown.slice(0, Math.max(0, countMax - count)), count }
}

/** Counts the pending files of a project, up to `max`, and of a recording. */
export async function countWaiting(
  store: Store,
  { id, project_id }: Pick<RecordingRow, 'id' | 'project_id'>,
  max: number,
) {
  const [waiting] = await rowsOf<{ project: number; recording: number }>(store)`SELECT
    (SELECT count(*) FROM (SELECT FROM session_recording_assets
      WHERE project_id = ${project_id} AND fetched_at IS NULL LIMIT ${max}) AS waiting) AS project,
    (SELECT count(*) FROM session_recording_assets WHERE recording_id = ${id} AND fetched_at IS NULL) AS recording`
  return waiting ?? { project: 0, recording: 0 }
}

export type Unsearched = Pick<
  RecordingRow,
  'id' | 'project_id' | 'asset_bases' | 'block_count' | 'asset_block_count'
>

/**
 * Finds recordings with blocks to search for files: the newest of each project, then the second of each, and so on. A backlog
 * delays neither other projects nor new recordings.
 */
export async function listUnsearched(
  store: Store,
  { now, perProject, max }: { now: Date; perProject: number; max: number },
) {
  return await rowsOf<Unsearched>(store)`
    SELECT next.id, project_id, block_count, asset_block_count, asset_bases FROM projects CROSS JOIN LATERAL (
      SELECT id, project_id, block_count, asset_block_count, asset_bases, row_number() OVER (ORDER BY last_updated_at DESC) AS turn
      FROM session_recordings WHERE project_id = projects.id AND deleted_at IS NULL AND asset_block_count < block_count
        AND (asset_search_at IS NULL OR asset_search_at <= ${now})
      ORDER BY last_updated_at DESC LIMIT ${perProject}) AS next
    ORDER BY turn, next.id LIMIT ${max}`
}

/** Marks a recording's next blocks as searched; returns false if another process did so or the recording was deleted. */
export async function markSearched(
  transaction: StoreTransaction,
  recordingId: number,
  before: number,
  searched: { asset_block_count: number; asset_bases: string },
) {
  const unsearched = { id: recordingId, asset_block_count: before, deleted_at: null }
  const change = { ...searched, asset_search_at: null }
  return (await updateRows(transaction, 'session_recordings', unsearched, change)) === 1
}

/** Searches the same blocks of a recording again at a later time. */
export async function searchAgain(
  transaction: StoreTransaction,
  recordingId: number,
  { from, at }: { from: Pick<Unsearched, 'asset_block_count' | 'asset_bases'>; at: Date },
) {
  const bases = from.asset_bases && JSON.stringify(from.asset_bases)
  await sql`UPDATE session_recordings SET asset_block_count = ${from.asset_block_count}, asset_bases = ${bases},
    asset_search_at = ${at} WHERE id = ${recordingId}`.execute(transaction)
}
