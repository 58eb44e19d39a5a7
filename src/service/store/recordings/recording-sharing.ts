import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { inTransaction, rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { SessionRecordingSharingTable, RecordingCollectionsTable } from '../schema/recording-tables.ts'
import { insertRow, updateRow } from '../schema/rows.ts'
import type { RecordingRow } from './session-recordings.ts'

/** A link to a recording or to a collection. */
export type SharingRow = Selectable<SessionRecordingSharingTable>
export type NewSharing = Insertable<SessionRecordingSharingTable>
/** What a link opens. */
export type LinkOwner = { recording_id: number } | { collection_id: string }

/** Finds the default link of a recording. */
export function findSharing(store: Store, recordingId: number) {
  return linksOf(store, { recording_id: recordingId }, true).executeTakeFirst()
}

function linksOf(store: Store, owner: LinkOwner, isDefault: boolean) {
  const isOf =
    'recording_id' in owner
      ? sql<boolean>`recording_id = ${owner.recording_id}`
      : sql<boolean>`collection_id = ${owner.collection_id}`
  const links = store.selectFrom('session_recording_sharing').selectAll()
  return links.where(isOf).where('is_default', '=', isDefault)
}

/**
 * Locks the recording's default link, creating it from `first` if it is missing; undefined if the recording has been deleted
 * meanwhile.
 */
export async function lockSharing(
  transaction: StoreTransaction,
  first: NewSharing & { recording_id: number },
) {
  if (!(await holdOwner(transaction, first))) return undefined
  await transaction
    .insertInto('session_recording_sharing')
    .values(first)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await linksOf(transaction, first, true).forUpdate().executeTakeFirst()
}

/** Keeps a recording or a collection from being deleted until the transaction ends; returns whether it still exists. */
async function holdOwner(transaction: StoreTransaction, owner: LinkOwner) {
  const select = rowsOf(transaction)
  const rows = await ('recording_id' in owner
    ? select`SELECT FROM session_recordings WHERE id = ${owner.recording_id} AND deleted_at IS NULL FOR SHARE`
    : select`SELECT FROM recording_collections WHERE id = ${owner.collection_id} FOR SHARE`)
  return rows.length === 1
}

/** Adds a link; undefined if its owner has been deleted meanwhile, or null if the owner has `linksMax` links already. */
export function insertLink(
  store: Store,
  owner: LinkOwner,
  link: Omit<NewSharing, 'recording_id' | 'collection_id'>,
  linksMax: number,
): Promise<SharingRow | undefined | null> {
  return inTransaction(store, async (transaction) => {
    if (!(await holdOwner(transaction, owner))) return undefined
    if ((await listLinks(transaction, owner)).length >= linksMax) return null
    return await insertRow(transaction, 'session_recording_sharing', { ...link, ...owner })
  })
}

/** Updates a link and returns it; undefined if it has been deleted meanwhile. The id makes a statement also of no changes. */
export function updateLink(store: Store, id: string, changes: Updateable<SessionRecordingSharingTable>) {
  return updateRow(store, 'session_recording_sharing', { id }, { id, ...changes })
}

/** Lists the links to a recording, besides the default one, or to a collection, oldest first. */
export function listLinks(store: Store, owner: LinkOwner) {
  return linksOf(store, owner, false).orderBy('created_at').orderBy('id').execute()
}

/** Finds a link to a recording, other than the default one, or to a collection. */
export function findLink(store: Store, owner: LinkOwner, id: string) {
  return linksOf(store, owner, false).where('id', '=', id).executeTakeFirst()
}

/** A link with what it opens. */
export type Shared = { link: SharingRow } & (
  | { recording: RecordingRow; collection: null }
  | { recording: null; collection: SharedCollection }
)
export type SharedCollection = Selectable<RecordingCollectionsTable>

/** Finds a link, which may be disabled or expired; undefined also if its recording was deleted. */
export async function findShared(store: Store, tokenHash: Buffer): Promise<Shared | undefined> {
  const [link] = await rowsOf<SharingRow>(store)`
    SELECT * FROM session_recording_sharing WHERE token_hash = ${tokenHash}`
  if (!link) return undefined
  if (link.collection_id !== null) {
    const [collection] = await rowsOf<SharedCollection>(store)`
      SELECT * FROM recording_collections WHERE id = ${link.collection_id}`
    return collection && { link, collection, recording: null }
  }
  const [recording] = await rowsOf<RecordingRow>(store)`
    SELECT * FROM session_recordings WHERE id = ${link.recording_id} AND deleted_at IS NULL`
  return recording && { link, recording, collection: null }
}

/** Returns which of these collections are open by a link. */
export async function collectionsWithLinks(store: Store, ids: readonly string[], now: Date) {
  const rows = await rowsOf<{ collection_id: string }>(store)`
    SELECT collection_id FROM session_recording_sharing
    WHERE collection_id = ANY (${ids}::uuid[]) AND ${isOpen(now)}`
  return new Set(rows.map((row) => row.collection_id))
}

/** A condition on `session_recording_sharing`: the link can be used. */
export function isOpen(now: Date) {
  return sql`enabled AND (expires_at IS NULL OR expires_at > ${now})`
}

export async function countView(store: Store, linkId: string, now: Date) {
  await sql`UPDATE session_recording_sharing SET views = views + 1, last_viewed_at = ${now}
    WHERE id = ${linkId}`.execute(store)
}
