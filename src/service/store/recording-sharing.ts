import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { SessionRecordingSharingTable, Store, StoreTransaction } from './database.ts'
import type { RecordingRow } from './session-recordings.ts'

/** A link to a recording. */
export type SharingRow = Selectable<SessionRecordingSharingTable>
export type NewSharing = Insertable<SessionRecordingSharingTable>

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
  first: NewSharing,
): Promise<SharingRow | undefined> {
  if (!(await holdRecording(transaction, first.recording_id))) return undefined
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

/** Keeps a recording from being deleted until the transaction ends; returns whether it still exists. */
async function holdRecording(transaction: StoreTransaction, id: number): Promise<boolean> {
  const recording = await transaction
    .selectFrom('session_recordings')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return recording !== undefined
}

/** Adds a link; undefined if the recording has been deleted meanwhile, or null if it has `linksMax` links already. */
export function insertLink(
  store: Store,
  link: NewSharing,
  linksMax: number,
): Promise<SharingRow | undefined | null> {
  return store.transaction().execute(async (transaction) => {
    if (!(await holdRecording(transaction, link.recording_id))) return undefined
    if ((await listLinks(transaction, link.recording_id)).length >= linksMax) return null
    return await transaction
      .insertInto('session_recording_sharing')
      .values(link)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Lists the links of a recording besides the default one, oldest first. */
export function listLinks(store: Store, recordingId: number): Promise<SharingRow[]> {
  return store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .where('is_default', '=', false)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Finds a link of a recording other than the default one. */
export function findLink(store: Store, recordingId: number, id: string): Promise<SharingRow | undefined> {
  return store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('id', '=', id)
    .where('recording_id', '=', recordingId)
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

/** Finds a link, which may be disabled or expired, with its recording. */
export async function findShared(
  store: Store,
  tokenHash: Buffer,
): Promise<{ recording: RecordingRow; link: SharingRow } | undefined> {
  const link = await store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  const recording =
    link &&
    (await store
      .selectFrom('session_recordings')
      .selectAll()
      .where('id', '=', link.recording_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  return link && recording && { recording, link }
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
  return new Set(rows.map((row) => row.recording_id))
}

export async function countView(store: Store, linkId: string, now: Date): Promise<void> {
  await store
    .updateTable('session_recording_sharing')
    .set({ views: sql`views + 1`, last_viewed_at: now })
    .where('id', '=', linkId)
    .execute()
}
