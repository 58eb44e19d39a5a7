import { sql } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { RecordingRow } from './session-recordings.ts'

type Watcher = { name: string; at: Date }

/** Returns who watched a recording, the latest first. */
export function listWatchers(store: Store, recordingId: number, limit: number): Promise<Watcher[]> {
  return store
    .selectFrom('recording_watchers')
    .select(['name', 'at'])
    .where('recording_id', '=', recordingId)
    .orderBy('at', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute()
}

/** Stores that someone watches a recording, unless it has been deleted. */
export async function addWatcher(
  store: Store,
  { id }: Pick<RecordingRow, 'id'>,
  { userId, name, at }: Watcher & { userId: string },
): Promise<void> {
  await sql`
    INSERT INTO recording_watchers (recording_id, user_id, name, at)
    SELECT id, ${userId}::uuid, ${name}, ${at} FROM session_recordings
    WHERE id = ${id} AND deleted_at IS NULL FOR SHARE
    ON CONFLICT (recording_id, user_id, name) DO UPDATE SET at = excluded.at`.execute(store)
}

/** Removes someone from those who watched a recording. */
export async function removeWatcher(
  store: Store,
  { id }: Pick<RecordingRow, 'id'>,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  await store
    .deleteFrom('recording_watchers')
    .where('recording_id', '=', id)
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .execute()
}
