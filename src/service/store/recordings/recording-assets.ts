import { sql } from 'kysely'
import type { AssetRow } from './asset-queue.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { RecordedAssetsTable } from '../schema/recording-tables.ts'
import type { RecordingRow } from './session-recordings.ts'

export type ListedAsset = Pick<AssetRow, 'id' | 'url' | 'project_id' | 'depth' | 'hash' | 'reason'> & {
  content_type: string | null
}

/** Lists the files that a recording names, with the media types of stored ones. */
export async function listAssets(store: Store, recordingId: number) {
  return await rowsOf<ListedAsset>(store)`
    SELECT id, url, project_id, depth, hash, reason, content_type
    FROM session_recording_assets LEFT JOIN recorded_assets USING (project_id, hash)
    WHERE recording_id = ${recordingId} ORDER BY id`
}

type FetchedAsset = Pick<AssetRow, 'url' | 'final_url' | 'is_stylesheet' | 'depth' | 'hash' | 'reason'>

/** Lists the files of a recording that were fetched, or could not be, without those still waiting. */
export async function listFetched(store: Store, recordingId: number) {
  return await rowsOf<FetchedAsset>(store)`
    SELECT url, final_url, is_stylesheet, depth, hash, reason FROM session_recording_assets
    WHERE recording_id = ${recordingId} AND fetched_at IS NOT NULL ORDER BY id`
}

/** Adds files to a recording that has none. */
export async function insertFetched(
  transaction: StoreTransaction,
  { id: recording_id, project_id }: Pick<RecordingRow, 'id' | 'project_id'>,
  assets: readonly (FetchedAsset & { fetched_at: Date })[],
) {
  if (assets.length === 0) return
  const rows = assets.map((asset, turn) => ({
    ...asset,
    recording_id,
    project_id,
    host: new URL(asset.url).hostname,
    turn,
    claimed_until: null,
  }))
  await transaction.insertInto('session_recording_assets').values(rows).execute()
}

/** Counts a recording's missing files by reason; the most frequent reason first. */
export async function countMissing(store: Store, recordingId: number) {
  return await rowsOf<{ reason: string; count: number }>(store)`
    SELECT reason, sum(count)::bigint AS count FROM (
      SELECT reason, 1 AS count FROM session_recording_assets WHERE recording_id = ${recordingId} AND reason IS NOT NULL
      UNION ALL SELECT key, value::integer FROM session_recording_refused_assets, jsonb_each_text(reasons)
        WHERE recording_id = ${recordingId}) AS missing
    GROUP BY reason ORDER BY count DESC, reason`
}

export type StoredAsset = Pick<AssetRow, 'id' | 'recording_id' | 'project_id' | 'url' | 'final_url'> &
  Omit<RecordedAssetsTable, 'bytes'>

/** Finds a stored file of a recording that has not been deleted. */
export async function findStoredAsset(store: Store, id: number) {
  const [found] = await rowsOf<StoredAsset>(store)`
    SELECT asset.id, recording_id, project_id, url, final_url, hash, content_type
    FROM session_recording_assets asset JOIN recorded_assets USING (project_id, hash)
    WHERE asset.id = ${id}
      AND EXISTS (SELECT FROM session_recordings recording WHERE recording.id = recording_id AND deleted_at IS NULL)`
  return found
}

/** Finds the content that a project's recordings got from a URL since `since`; the newest. */
export async function findShared(store: Store, file: AssetRow, since: Date) {
  const [found] = await rowsOf<Pick<StoredAsset, 'hash' | 'content_type' | 'final_url'> & { size: number }>(
    store,
  )`
    SELECT hash, content_type, bytes AS size, final_url
    FROM session_recording_assets JOIN recorded_assets USING (project_id, hash)
    WHERE project_id = ${file.project_id} AND url = ${file.url} AND is_stylesheet = ${file.is_stylesheet}
      AND fetched_at > ${since} ORDER BY fetched_at DESC LIMIT 1`
  return found
}

/** Returns the bytes of the different files that a recording shows. */
export async function storedBytes(store: Store, recordingId: number) {
  const [sum] = await rowsOf<{ bytes: number }>(store)`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM recorded_assets WHERE (project_id, hash) IN (
      SELECT project_id, hash FROM session_recording_assets WHERE recording_id = ${recordingId})`
  return sum?.bytes ?? 0
}

/** Adds a stored file, locking it until the transaction ends, so that no other process deletes it. */
export async function insertContent(transaction: StoreTransaction, content: RecordedAssetsTable) {
  await transaction
    .insertInto('recorded_assets')
    .values(content)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'hash']).doUpdateSet({ content_type: content.content_type }),
    )
    .execute()
}

/** Locks a stored file so that no other process deletes it; returns false if it does not exist. */
export async function lockContent(transaction: StoreTransaction, { project_id, hash }: Content) {
  const found = await rowsOf(transaction)`
    SELECT FROM recorded_assets WHERE project_id = ${project_id} AND hash = ${hash} FOR KEY SHARE`
  return found.length > 0
}

/** Returns whether a recording names a content. */
export async function isReferenced(store: Store, { project_id, hash }: Content) {
  const found = await rowsOf(store)`
    SELECT FROM session_recording_assets WHERE project_id = ${project_id} AND hash = ${hash} LIMIT 1`
  return found.length > 0
}

type Content = Pick<RecordedAssetsTable, 'project_id' | 'hash'>

/** Deletes the rows of files that these recordings name; returns the stored files among them. */
export async function deleteFiles(store: Store, recordingIds: readonly number[]) {
  return await rowsOf<Content>(store)`
    WITH deleted AS (DELETE FROM session_recording_assets WHERE recording_id = ANY (${recordingIds}::bigint[]) RETURNING project_id, hash),
      refused AS (DELETE FROM session_recording_refused_assets WHERE recording_id = ANY (${recordingIds}::bigint[]))
    SELECT DISTINCT project_id, hash FROM deleted WHERE hash IS NOT NULL`
}

/** Finds stored files that no recording names, which a crash leaves. */
export async function findUnreferenced(store: Store, max: number) {
  return await rowsOf<Content>(store)`
    SELECT project_id, hash FROM recorded_assets content WHERE ${isUnreferenced} LIMIT ${max}`
}

/** Deletes the stored files that no recording names; `deleteObject` removes the object of each. */
export async function deleteUnreferenced(
  store: Store,
  contents: readonly Content[],
  deleteObject: (content: Content) => Promise<void>,
) {
  const keys = contents.map(({ project_id, hash }) => ({ project_id, hash: `\\x${hash.toString('hex')}` }))
  const given = sql`json_to_recordset(${JSON.stringify(keys)}::json) AS given (project_id integer, hash bytea)`
  await store.transaction().execute(async (transaction) => {
    await sql`SELECT FROM recorded_assets JOIN ${given} USING (project_id, hash)
      ORDER BY project_id, hash FOR UPDATE OF recorded_assets`.execute(transaction)
    // A separate statement also sees recordings that were committed before the lock.
    const deleted = await rowsOf<Content>(transaction)`DELETE FROM recorded_assets content USING ${given}
      WHERE content.project_id = given.project_id AND content.hash = given.hash AND ${isUnreferenced}
      RETURNING content.project_id, content.hash`
    for (const content of deleted) await deleteObject(content)
  })
}

const isUnreferenced = sql`NOT EXISTS (SELECT FROM session_recording_assets asset
  WHERE asset.project_id = content.project_id AND asset.hash = content.hash)`

/** Performs `work` while no process can store a content; does nothing if the content is stored. */
export async function withoutContent(store: Store, { project_id, hash }: Content, work: () => Promise<void>) {
  await store.transaction().execute(async (transaction) => {
    const inserted = await rowsOf(
      transaction,
    )`INSERT INTO recorded_assets (project_id, hash, content_type, bytes)
      VALUES (${project_id}, ${hash}, '', 0) ON CONFLICT DO NOTHING RETURNING hash`
    if (inserted.length === 0) return
    await work()
    await sql`DELETE FROM recorded_assets
      WHERE project_id = ${project_id} AND hash = ${hash}`.execute(transaction)
  })
}

/** Returns the hashes under which a project stores no file. */
export async function hashesWithoutContent(store: Store, projectId: number, hashes: readonly Buffer[]) {
  const rows = await rowsOf<{ hash: Buffer }>(store)`
    SELECT hash FROM unnest(${hashes}::bytea[]) AS hash
    WHERE NOT EXISTS (SELECT FROM recorded_assets content WHERE content.project_id = ${projectId} AND content.hash = hash.hash)`
  return rows.map(({ hash }) => hash)
}
