import { sql, type Selectable } from 'kysely'
import { addRefusedFiles } from './asset-search.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { SessionRecordingAssetsTable } from '../schema/recording-tables.ts'
import { deleteRows, updateRows } from '../schema/rows.ts'

export type AssetRow = Selectable<SessionRecordingAssetsTable>

const minuteMs = 60_000
const hourMs = 3_600_000

/** Largest number of concurrent fetches, and of fetches in a minute. */
type Limit = { atOnce: number; perMinute: number }
/** Limits of all processes together. */
export type FetchLimits = { host: Limit; project: Limit; projectBytesPerHour: number }

type Claim = {
  now: number
  /** Time (ms) after which another process may claim the file. */
  claimMs: number
  limits: FetchLimits
  /** Number of files that this process could begin to fetch now. */
  free: number
}

/**
 * Claims the next file and counts its fetch. Projects with the fewest fetches go first, and a project may use fewer fetches
 * than are still free, so that two slow projects leave room for a third. Within a project, first attempts go before later
 * ones, and the first files of all recordings before the second files of any. Newer recordings go first, so a backlog does not
 * delay them.
 */
export async function claimFile(
  store: Store,
  { now, claimMs, limits: { host, project, projectBytesPerHour }, free }: Claim,
) {
  const at = new Date(now)
  return await store.transaction().execute(async (transaction) => {
    // Otherwise, two processes could pass a limit together.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('claims of assets', 4283))`.execute(transaction)
    const [file] = await rowsOf<AssetRow>(transaction)`
      WITH running AS MATERIALIZED (
        SELECT project_id, host FROM session_recording_assets WHERE fetched_at IS NULL AND claimed_until > ${at}
      ), counted AS MATERIALIZED (SELECT name, count FROM asset_fetch_counts WHERE until > ${at}
      ), full_hosts AS MATERIALIZED (
        SELECT host FROM running GROUP BY host HAVING count(*) >= ${host.atOnce}
        UNION SELECT substr(name, 6) FROM counted WHERE name LIKE 'host %' AND count >= ${host.perMinute}
      ), open_projects AS MATERIALIZED (
        SELECT id, used, started FROM projects CROSS JOIN LATERAL (SELECT
          (SELECT count(*) FROM running WHERE project_id = projects.id) AS used,
          coalesce((SELECT count FROM counted WHERE name = 'project ' || projects.id), 0) AS started,
          coalesce((SELECT count FROM counted WHERE name = 'bytes ' || projects.id), 0) AS bytes) AS usage
        WHERE used < least(${project.atOnce}::integer, ${free}::integer) AND started < ${project.perMinute}
          AND bytes < ${projectBytesPerHour}
      )
      UPDATE session_recording_assets SET claimed_until = ${new Date(now + claimMs)} WHERE id = (
        SELECT next.id FROM open_projects CROSS JOIN LATERAL (
          SELECT asset.id FROM session_recording_assets asset JOIN session_recordings recording ON recording.id = recording_id
          WHERE asset.project_id = open_projects.id AND fetched_at IS NULL AND deleted_at IS NULL
            AND (claimed_until IS NULL OR claimed_until <= ${at}) AND (retry_at IS NULL OR retry_at <= ${at})
            AND host NOT IN (SELECT host FROM full_hosts)
          ORDER BY attempts, turn, recording_id DESC LIMIT 1) AS next
        ORDER BY used, started, next.id LIMIT 1)
      RETURNING *`
    if (file) await countFetch(transaction, file, 1, now)
    return file
  })
}

/** Adds to the fetches of a file's host and project in the current minute. */
export async function countFetch(
  store: Store,
  { host, project_id }: Pick<AssetRow, 'host' | 'project_id'>,
  amount: number,
  now: number,
) {
  await addToCounts(store, [`host ${host}`, `project ${project_id}`], amount, endOf(minuteMs, now))
}

/** Adds to the bytes that a project fetched in the current hour. */
export async function countBytes(store: Store, projectId: number, bytes: number, now: number) {
  await addToCounts(store, [`bytes ${projectId}`], bytes, endOf(hourMs, now))
}

async function addToCounts(store: Store, names: readonly string[], amount: number, until: Date) {
  await sql`
    INSERT INTO asset_fetch_counts (name, until, count)
    SELECT name, ${until}, ${amount} FROM unnest(${names}::text[]) AS name
    ON CONFLICT (name, until) DO UPDATE SET count = asset_fetch_counts.count + excluded.count`.execute(store)
}

/** Deletes the counts of past minutes and hours. */
export async function deletePastCounts(store: Store, now: number): Promise<void> {
  await store.deleteFrom('asset_fetch_counts').where('until', '<=', new Date(now)).execute()
}

function endOf(periodMs: number, now: number): Date {
  return new Date((Math.floor(now / periodMs) + 1) * periodMs)
}

/** Locks a claimed file and the stored bytes of its recording; returns false if the recording was deleted. */
export async function lockFile(
  transaction: StoreTransaction,
  { id, recording_id }: Pick<AssetRow, 'id' | 'recording_id'>,
) {
  const name = `recording ${recording_id}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 4283))`.execute(transaction)
  const rows = await rowsOf(transaction)`
    SELECT FROM session_recording_assets WHERE id = ${id} AND fetched_at IS NULL FOR UPDATE`
  return rows.length > 0
}

/** Stores why a file is missing: in its row for the first `rowsMax` files of a recording, else only by its hash. */
export async function refuseFile(
  transaction: StoreTransaction,
  { id, recording_id, url }: Pick<AssetRow, 'id' | 'recording_id' | 'url'>,
  { reason, fetched_at, rowsMax }: { reason: string; fetched_at: Date; rowsMax: number },
) {
  const missing = await rowsOf(transaction)`SELECT FROM session_recording_assets
    WHERE recording_id = ${recording_id} AND fetched_at IS NOT NULL AND hash IS NULL LIMIT ${rowsMax}`
  if (missing.length >= rowsMax) {
    await deleteRows(transaction, 'session_recording_assets', { id })
    await addRefusedFiles(transaction, recording_id, { urls: [url], reason })
  } else await updateRows(transaction, 'session_recording_assets', { id }, { reason, fetched_at })
}
