import { sql, type Selectable, type Updateable } from 'kysely'
import type { SessionRecordingSharingTable, Store, StoreTransaction } from './database.ts'
import type { RecordingRow } from './session-recordings.ts'

export type SharingRow = Selectable<SessionRecordingSharingTable>

export function findSharing(store: Store, recordingId: number): Promise<SharingRow | undefined> {
  return store
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .executeTakeFirst()
}

/**
 * Locks the recording's sharing row, creating it from `first` if it is missing; undefined if the recording has been deleted
 * meanwhile.
 */
export async function lockSharing(
  transaction: StoreTransaction,
  first: SharingRow,
): Promise<SharingRow | undefined> {
  const recording = await transaction
    .selectFrom('session_recordings')
    .select('id')
    .where('id', '=', first.recording_id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!recording) return undefined
  await transaction
    .insertInto('session_recording_sharing')
    .values(first)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await transaction
    .selectFrom('session_recording_sharing')
    .selectAll()
    .where('recording_id', '=', first.recording_id)
    .forUpdate()
    .executeTakeFirst()
}

export function updateSharingRow(
  transaction: StoreTransaction,
  recordingId: number,
  changes: Updateable<SessionRecordingSharingTable>,
): Promise<SharingRow> {
  return transaction
    .updateTable('session_recording_sharing')
    .set({ recording_id: recordingId, ...changes })
    .where('recording_id', '=', recordingId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds the recording of an enabled, unexpired link. */
export async function findShared(
  store: Store,
  tokenHash: Buffer,
  now: Date,
): Promise<{ recording: RecordingRow; passwordHash: string | null } | undefined> {
  const row = await store
    .selectFrom('session_recording_sharing as sharing')
    .innerJoin('session_recordings as recording', 'recording.id', 'sharing.recording_id')
    .selectAll('recording')
    .select('sharing.password_hash')
    .where('sharing.token_hash', '=', tokenHash)
    .where('sharing.enabled', '=', true)
    .where((where) =>
      where.or([where('sharing.expires_at', 'is', null), where('sharing.expires_at', '>', now)]),
    )
    .where('recording.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { password_hash: passwordHash, ...recording } = row
  return { recording, passwordHash }
}

export async function countView(store: Store, recordingId: number): Promise<void> {
  await store
    .updateTable('session_recording_sharing')
    .set({ views: sql`views + 1` })
    .where('recording_id', '=', recordingId)
    .execute()
}
