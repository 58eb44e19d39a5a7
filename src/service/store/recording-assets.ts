import { sql, type Selectable } from 'kysely'
import type { RecordedAssetsTable, SessionRecordingAssetsTable, Store, StoreTransaction } from './database.ts'
import type { RecordingRow } from './session-recordings.ts'

export type AssetRow = Selectable<SessionRecordingAssetsTable>

/** Lists the files that a recording names, with the media types of stored ones. */
export function listAssets(
  store: Store,
  recordingId: number,
): Promise<
  (Pick<AssetRow, 'id' | 'url' | 'project_id' | 'hash' | 'reason'> & { content_type: string | null })[]
> {
  return store
    .selectFrom('session_recording_assets as asset')
    .leftJoin('recorded_assets as content', (join) =>
      join.onRef('content.project_id', '=', 'asset.project_id').onRef('content.hash', '=', 'asset.hash'),
    )
    .select(['asset.id', 'url', 'asset.project_id', 'asset.hash', 'reason', 'content_type'])
    .where('recording_id', '=', recordingId)
    .orderBy('asset.id')
    .execute()
}

export type StoredAsset = Awaited<ReturnType<typeof findStoredAsset>> & {}

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

export type FoundFile = { url: string; is_stylesheet: boolean }
type NewFiles = {
  recording: Pick<RecordingRow, 'id' | 'project_id'>
  files: readonly FoundFile[]
  depth: number
  /** Why none of the files will be fetched, and when this was decided; null if they will be. */
  missing: { reason: string; at: Date } | null
}

/** Adds the files that a recording names for the first time, up to `countMax` in total. */
export async function insertFoundFiles(
  transaction: StoreTransaction,
  { recording, files, depth, missing }: NewFiles,
  countMax: number,
): Promise<void> {
  if (files.length === 0) return
  const rows = files.map((file) => ({ ...file, host: new URL(file.url).hostname }))
  await sql`
    INSERT INTO session_recording_assets (recording_id, project_id, depth, url, host, is_stylesheet, fetched_at, reason)
    SELECT ${recording.id}, ${recording.project_id}, ${depth}, url, host, is_stylesheet, ${missing?.at ?? null}, ${missing?.reason ?? null}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS file (url text, host text, is_stylesheet boolean)
    WHERE NOT EXISTS (SELECT FROM session_recording_assets known WHERE known.recording_id = ${recording.id} AND known.url = file.url)
    LIMIT greatest(0, ${countMax} - (SELECT count(*) FROM session_recording_assets WHERE recording_id = ${recording.id}))
    ON CONFLICT (recording_id, url) DO NOTHING`.execute(transaction)
}

/** Counts a project's pending files, up to `max`. */
export async function countWaiting(store: Store, projectId: number, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM (SELECT FROM session_recording_assets
      WHERE project_id = ${projectId} AND fetched_at IS NULL LIMIT ${max}) AS waiting`.execute(store)
  return rows[0]?.count ?? 0
}

/** Claims the next pending file that no process is fetching, skipping these hosts and projects. */
export async function claimFile(
  store: Store,
  {
    now,
    until,
    hosts,
    projects,
  }: { now: Date; until: Date; hosts: readonly string[]; projects: readonly number[] },
): Promise<AssetRow | undefined> {
  const { rows } = await sql<AssetRow>`
    UPDATE session_recording_assets SET claimed_until = ${until} WHERE id = (
      SELECT asset.id FROM session_recording_assets asset JOIN session_recordings recording ON recording.id = recording_id
      WHERE fetched_at IS NULL AND (claimed_until IS NULL OR claimed_until <= ${now}) AND deleted_at IS NULL
        AND host != ALL (${hosts}::text[]) AND asset.project_id != ALL (${projects}::integer[])
      ORDER BY asset.id LIMIT 1 FOR UPDATE OF asset SKIP LOCKED)
    RETURNING *`.execute(store)
  return rows[0]
}

/** Makes a claimed file available to other processes again. */
export async function releaseFile(store: Store, id: number): Promise<void> {
  await store
    .updateTable('session_recording_assets')
    .set({ claimed_until: null })
    .where('id', '=', id)
    .execute()
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

/** Locks a file that is being fetched and the stored bytes of its recording; returns false if the recording was deleted. */
export async function lockFile(
  transaction: StoreTransaction,
  { id, recording_id }: Pick<AssetRow, 'id' | 'recording_id'>,
): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`recording ${recording_id}`}, 4283))`.execute(
    transaction,
  )
  const row = await transaction
    .selectFrom('session_recording_assets')
    .select('id')
    .where('id', '=', id)
    .where('fetched_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
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
export async function isNamed(store: Store, { project_id, hash }: Content): Promise<boolean> {
  const row = await store
    .selectFrom('session_recording_assets')
    .select('id')
    .where('project_id', '=', project_id)
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the outcome of fetching a file. */
export async function finishFile(
  transaction: StoreTransaction,
  id: number,
  outcome: Pick<AssetRow, 'hash' | 'final_url' | 'reason'> & { fetched_at: Date },
): Promise<void> {
  await transaction.updateTable('session_recording_assets').set(outcome).where('id', '=', id).execute()
}

type Content = Pick<RecordedAssetsTable, 'project_id' | 'hash'>

/** Deletes the rows of files that these recordings name; returns the stored files among them. */
export async function deleteFiles(store: Store, recordingIds: readonly number[]): Promise<Content[]> {
  const { rows } = await sql<Content>`
    WITH deleted AS (DELETE FROM session_recording_assets WHERE recording_id = ANY (${recordingIds}::bigint[]) RETURNING project_id, hash)
    SELECT DISTINCT project_id, hash FROM deleted WHERE hash IS NOT NULL`.execute(store)
  return rows
}

/** Finds stored files that no recording names, which a crash leaves. */
export async function findUnnamed(store: Store, max: number): Promise<Content[]> {
  const { rows } = await sql<Content>`
    SELECT project_id, hash FROM recorded_assets content WHERE ${isUnnamed} LIMIT ${max}`.execute(store)
  return rows
}

/** Deletes the stored files that no recording names; `deleteObject` removes the object of each. */
export async function deleteUnnamed(
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
      WHERE content.project_id = given.project_id AND content.hash = given.hash AND ${isUnnamed}
      RETURNING content.project_id, content.hash`.execute(transaction)
    for (const content of rows) await deleteObject(content)
  })
}

const isUnnamed = sql`NOT EXISTS (SELECT FROM session_recording_assets asset
  WHERE asset.project_id = content.project_id AND asset.hash = content.hash)`

/** Performs `work` while no process can store a content; does nothing if the content is stored. */
export async function whileAbsent(store: Store, content: Content, work: () => Promise<void>): Promise<void> {
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
export async function unstored(
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

export type Unsearched = Pick<RecordingRow, 'id' | 'project_id' | 'asset_bases' | 'block_count'> & {
  asset_block_count: number
}

/** Finds recordings with blocks that have not been searched for files, the oldest first. */
export async function listUnsearched(store: Store, max: number): Promise<Unsearched[]> {
  const { rows } = await sql<Unsearched>`
    SELECT id, project_id, block_count, asset_block_count, asset_bases FROM session_recordings
    WHERE deleted_at IS NULL AND asset_block_count < block_count ORDER BY last_updated_at LIMIT ${max}`.execute(
    store,
  )
  return rows
}

/** Marks a recording's next blocks as searched; returns false if another process did so or the recording was deleted. */
export async function markSearched(
  transaction: StoreTransaction,
  recordingId: number,
  before: number,
  searched: { asset_block_count: number; asset_bases: string },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('session_recordings')
    .set(searched)
    .where('id', '=', recordingId)
    .where('asset_block_count', '=', before)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
