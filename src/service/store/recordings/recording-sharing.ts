import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Store, StoreTransaction } from '../schema/database.ts'
import type { SessionRecordingSharingTable, RecordingCollectionsTable } from '../schema/recording-tables.ts'
import type { RecordingRow } from './session-recordings.ts'

/** A link to a recording or to a collection. */
export type SharingRow = Selectable<SessionRecordingSharingTable>
export type NewSharing = Insertable<SessionRecordingSharingTable>
/** What a link opens. */
export type LinkOwner = { recording_id: number } | { collection_id: string }

/** Finds the default link of a recording. */
export function findSharing(store: Store, recordingId: number): Promise<SharingRow | undefined> {
  return store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .where('is_default', '=', true)
    .executeTakeFirst()
}

/**
 * Locks the recording's default link, creating it from `first` if it is missing; undefined if the recording has been deleted
 * meanwhile.
 */
export async function lockSharing(
  transaction: StoreTransaction,
  first: NewSharing & { recording_id: number },
): Promise<SharingRow | undefined> {
  if (!(await holdOwner(transaction, first))) return undefined
  await transaction
    .insertInto('session_recording_sharing')
    .values(first)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await transaction
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('recording_id', '=', first.recording_id)
    .where('is_default', '=', true)
    .forUpdate()
    .executeTakeFirst()
}

/** Keeps a recording or a collection from being deleted until the transaction ends; returns whether it still exists. */
async function holdOwner(transaction: StoreTransaction, owner: LinkOwner): Promise<boolean> {
  const { rows } = await (
    'recording_id' in owner
      ? sql`SELECT FROM session_recordings WHERE id = ${owner.recording_id} AND deleted_at IS NULL FOR SHARE`
      : sql`SELECT FROM recording_collections WHERE id = ${owner.collection_id} FOR SHARE`
  ).execute(transaction)
  return rows.length === 1
}

function isOf(owner: LinkOwner) {
  return 'recording_id' in owner
    ? sql<boolean>`recording_id = ${owner.recording_id}`
    : sql<boolean>`collection_id = ${owner.collection_id}`
}

/** Adds a link; undefined if its owner has been deleted meanwhile, or null if the owner has `linksMax` links already. */
export function insertLink(
  store: Store,
  owner: LinkOwner,
  link: Omit<NewSharing, 'recording_id' | 'collection_id'>,
  linksMax: number,
): Promise<SharingRow | undefined | null> {
  return store.transaction().execute(async (transaction) => {
    if (!(await holdOwner(transaction, owner))) return undefined
    if ((await listLinks(transaction, owner)).length >= linksMax) return null
    return await transaction
      .insertInto('session_recording_sharing')
      .values({ ...link, ...owner })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Lists the links to a recording, besides the default one, or to a collection, oldest first. */
export function listLinks(store: Store, owner: LinkOwner): Promise<SharingRow[]> {
  return store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where(isOf(owner))
    .where('is_default', '=', false)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Finds a link to a recording, other than the default one, or to a collection. */
export function findLink(store: Store, owner: LinkOwner, id: string): Promise<SharingRow | undefined> {
  return store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('id', '=', id)
    .where(isOf(owner))
    .where('is_default', '=', false)
    .executeTakeFirst()
}

/** Updates a link and returns it; undefined if it has been deleted meanwhile. */
export function updateLink(
  store: Store,
  id: string,
  changes: Updateable<SessionRecordingSharingTable>,
): Promise<SharingRow | undefined> {
  return store
    .updateTable('session_recording_sharing')
    .set({ id, ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteLink(store: Store, id: string): Promise<void> {
  await store.deleteFrom('session_recording_sharing').where('id', '=', id).execute()
}

/** A link with what it opens. */
export type Shared = { link: SharingRow } & (
  | { recording: RecordingRow; collection: null }
  | { recording: null; collection: SharedCollection }
)
export type SharedCollection = Selectable<RecordingCollectionsTable>

/** Finds a link, which may be disabled or expired; undefined also if its recording was deleted. */
export async function findShared(store: Store, tokenHash: Buffer): Promise<Shared | undefined> {
  const link = await store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!link) return undefined
  if (link.collection_id !== null) {
    const collections = store.selectFrom('recording_collections').selectAll()
    const collection = await collections.where('id', '=', link.collection_id).executeTakeFirst()
    return collection && { link, collection, recording: null }
  }
  const recording = await store
    .selectFrom('session_recordings')
    .selectAll()
    .where('id', '=', link.recording_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return recording && { link, recording, collection: null }
}

/** Returns which of these recordings a link opens. */
export async function sharedRecordings(
  store: Store,
  recordingIds: readonly number[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const rows = await store
    .selectFrom('session_recording_sharing')
    .select('recording_id')
    .where(sql<boolean>`recording_id = ANY (${recordingIds}::bigint[])`)
    .where('enabled', '=', true)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute()
  return new Set(rows.flatMap((row) => row.recording_id ?? []))
}

/** Returns which of these collections are open by a link. */
export async function collectionsWithLinks(
  store: Store,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await store
    .selectFrom('session_recording_sharing')
    .select('collection_id')
    .where(sql<boolean>`collection_id = ANY (${ids}::uuid[])`)
    .where('enabled', '=', true)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute()
  return new Set(rows.flatMap((row) => row.collection_id ?? []))
}

export async function countView(store: Store, linkId: string, now: Date): Promise<void> {
  await store
    .updateTable('session_recording_sharing')
    .set({ views: sql`views + 1`, last_viewed_at: now })
    .where('id', '=', linkId)
    .execute()
}
