import { sql } from 'kysely'
import type { AssetRow } from './asset-queue.ts'
import type { Store, StoreTransaction } from '../schema/database.ts'
import type { RecordedAssetsTable } from '../schema/recording-tables.ts'
import type { RecordingRow } from './session-recordings.ts'

/** Lists the files that a recording names, with the media types of stored ones. */
export type ListedAsset = Pick<AssetRow, 'id' | 'url' | 'project_id' | 'depth' | 'hash' | 'reason'> & {
  content_type: string | null
}

export function listAssets(store: Store, recordingId: number): Promise<ListedAsset[]> {
  return store
    .selectFrom('session_recording_assets as asset')
    .leftJoin('recorded_assets as content', (join) =>
      join.onRef('content.project_id', '=', 'asset.project_id').onRef('content.hash', '=', 'asset.hash'),
    )
    .select(['asset.id', 'url', 'asset.project_id', 'depth', 'asset.hash', 'reason', 'content_type'])
    .where('recording_id', '=', recordingId)
    .orderBy('asset.id')
    .execute()
}

export type StoredAsset = Awaited<ReturnType<typeof findStoredAsset>> & {}

/** Lists the files of a recording that were fetched, or could not be, without those still waiting. */
export function listFetched(store: Store, recordingId: number) {
  return store
    .selectFrom('session_recording_assets')
    .select(['url', 'final_url', 'is_stylesheet', 'depth', 'hash', 'reason'])
    .where('recording_id', '=', recordingId)
    .where('fetched_at', 'is not', null)
    .orderBy('id')
    .execute()
}

type FetchedAsset = Pick<AssetRow, 'url' | 'final_url' | 'is_stylesheet' | 'depth' | 'hash' | 'reason'> & {
  fetched_at: Date
}

/** Adds files to a recording that has none. */
export async function insertFetched(
  transaction: StoreTransaction,
  { id: recording_id, project_id }: Pick<RecordingRow, 'id' | 'project_id'>,
  assets: readonly FetchedAsset[],
): Promise<void> {
  if (assets.length === 0) return
  await transaction
    .insertInto('session_recording_assets')
    .values(
      assets.map((asset, turn) => ({
        ...asset,
        recording_id,
        project_id,
        host: new URL(asset.url).hostname,
        turn,
        claimed_until: null,
      })),
    )
    .execute()
}

/** Counts a recording's missing files by reason; the most frequent reason first. */
export async function countMissing(
  store: Store,
  recordingId: number,
): Promise<{ reason: string; count: number }[]> {
  const { rows } = await sql<{ reason: string; count: number }>`
    SELECT reason, sum(count)::bigint AS count FROM (
      SELECT reason, 1 AS count FROM session_recording_assets WHERE recording_id = ${recordingId} AND reason IS NOT NULL
      UNION ALL SELECT key, value::integer FROM session_recording_refused_assets, jsonb_each_text(reasons)
        WHERE recording_id = ${recordingId}) AS missing
    GROUP BY reason ORDER BY count DESC, reason`.execute(store)
  return rows
}

/** Finds a stored file of a recording that has not been deleted. */
export function findStoredAsset(store: Store, id: number) {
  return store
    .selectFrom('session_recording_assets as asset')
    .innerJoin('recorded_assets as content', (join) =>
      join.onRef('content.project_id', '=', 'asset.project_id').onRef('content.hash', '=', 'asset.hash'),
    )
    .innerJoin('session_recordings as recording', 'recording.id', 'asset.recording_id')
    .select(['asset.id', 'asset.recording_id', 'asset.project_id', 'url', 'final_url', 'content.hash'])
    .select('content_type')
    .where('asset.id', '=', id)
    .where('recording.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Finds the content that a project's recordings got from a URL since `since`; the newest. */
export function findShared(
  store: Store,
  { project_id, url, is_stylesheet }: Pick<AssetRow, 'project_id' | 'url' | 'is_stylesheet'>,
  since: Date,
) {
  return store
    .selectFrom('session_recording_assets as asset')
    .innerJoin('recorded_assets as content', (join) =>
      join.onRef('content.project_id', '=', 'asset.project_id').onRef('content.hash', '=', 'asset.hash'),
    )
    .select(['content.hash', 'content_type', 'content.bytes as size', 'final_url'])
    .where('asset.project_id', '=', project_id)
    .where('url', '=', url)
    .where('is_stylesheet', '=', is_stylesheet)
    .where('fetched_at', '>', since)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the bytes of the different files that a recording shows. */
export async function storedBytes(store: Store, recordingId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM recorded_assets WHERE (project_id, hash) IN (
      SELECT project_id, hash FROM session_recording_assets WHERE recording_id = ${recordingId})`.execute(
    store,
  )
  return rows[0]?.bytes ?? 0
}

/** Adds a stored file, locking it until the transaction ends, so that no other process deletes it. */
export async function insertContent(
  transaction: StoreTransaction,
  content: RecordedAssetsTable,
): Promise<void> {
  await transaction
    .insertInto('recorded_assets')
    .values(content)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'hash']).doUpdateSet({ content_type: content.content_type }),
    )
    .execute()
}

/** Locks a stored file so that no other process deletes it; returns false if it does not exist. */
export async function lockContent(
  transaction: StoreTransaction,
  { project_id, hash }: Content,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('recorded_assets')
    .select('bytes')
    .where('project_id', '=', project_id)
    .where('hash', '=', hash)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a recording names a content. */
export async function isReferenced(store: Store, { project_id, hash }: Content): Promise<boolean> {
  const row = await store
    .selectFrom('session_recording_assets')
    .select('id')
    .where('project_id', '=', project_id)
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type Content = Pick<RecordedAssetsTable, 'project_id' | 'hash'>

/** Deletes the rows of files that these recordings name; returns the stored files among them. */
export async function deleteFiles(store: Store, recordingIds: readonly number[]): Promise<Content[]> {
  const { rows } = await sql<Content>`
    WITH deleted AS (DELETE FROM session_recording_assets WHERE recording_id = ANY (${recordingIds}::bigint[]) RETURNING project_id, hash),
      refused AS (DELETE FROM session_recording_refused_assets WHERE recording_id = ANY (${recordingIds}::bigint[]))
    SELECT DISTINCT project_id, hash FROM deleted WHERE hash IS NOT NULL`.execute(store)
  return rows
}

/** Finds stored files that no recording names, which a crash leaves. */
export async function findUnreferenced(store: Store, max: number): Promise<Content[]> {
  const { rows } = await sql<Content>`
    SELECT project_id, hash FROM recorded_assets content WHERE ${isUnreferenced} LIMIT ${max}`.execute(store)
  return rows
}

/** Deletes the stored files that no recording names; `deleteObject` removes the object of each. */
export async function deleteUnreferenced(
  store: Store,
  contents: readonly Content[],
  deleteObject: (content: Content) => Promise<void>,
): Promise<void> {
  const keys = contents.map(({ project_id, hash }) => ({ project_id, hash: `\\x${hash.toString('hex')}` }))
  const given = sql`json_to_recordset(${JSON.stringify(keys)}::json) AS given (project_id integer, hash bytea)`
  await store.transaction().execute(async (transaction) => {
    await sql`SELECT FROM recorded_assets JOIN ${given} USING (project_id, hash)
      ORDER BY project_id, hash FOR UPDATE OF recorded_assets`.execute(transaction)
    // A separate statement also sees recordings that were committed before the lock.
    const { rows } = await sql<Content>`DELETE FROM recorded_assets content USING ${given}
      WHERE content.project_id = given.project_id AND content.hash = given.hash AND ${isUnreferenced}
      RETURNING content.project_id, content.hash`.execute(transaction)
    for (const content of rows) await deleteObject(content)
  })
}

const isUnreferenced = sql`NOT EXISTS (SELECT FROM session_recording_assets asset
  WHERE asset.project_id = content.project_id AND asset.hash = content.hash)`

/** Performs `work` while no process can store a content; does nothing if the content is stored. */
export async function withoutContent(
  store: Store,
  content: Content,
  work: () => Promise<void>,
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    const { rows } = await sql`INSERT INTO recorded_assets (project_id, hash, content_type, bytes)
      VALUES (${content.project_id}, ${content.hash}, '', 0) ON CONFLICT DO NOTHING RETURNING hash`.execute(
      transaction,
    )
    if (rows.length === 0) return
    await work()
    await transaction
      .deleteFrom('recorded_assets')
      .where('project_id', '=', content.project_id)
      .where('hash', '=', content.hash)
      .execute()
  })
}

/** Returns the hashes under which a project stores no file. */
export async function hashesWithoutContent(
  store: Store,
  projectId: number,
  hashes: readonly Buffer[],
): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    SELECT hash FROM unnest(${hashes}::bytea[]) AS hash
    WHERE NOT EXISTS (SELECT FROM recorded_assets content WHERE content.project_id = ${projectId} AND content.hash = hash.hash)`.execute(
    store,
  )
  return rows.map(({ hash }) => hash)
}
