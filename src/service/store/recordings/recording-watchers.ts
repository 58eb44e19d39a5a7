import { sql } from 'kysely'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RecordingRow } from './session-recordings.ts'

/** Returns who watched a recording, the latest first. */
export async function listWatchers(store: Store, recordingId: number, limit: number) {
  return await rowsOf<{ name: string; at: Date }>(store)`
    SELECT name, at FROM recording_watchers
    WHERE recording_id = ${recordingId} ORDER BY at DESC, name LIMIT ${limit}`
}

/** Stores that someone watches a recording, unless it has been deleted. */
export async function addWatcher(
  store: Store,
  { id }: Pick<RecordingRow, 'id'>,
  { userId, name, at }: { userId: string; name: string; at: Date },
) {
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
) {
  await sql`DELETE FROM recording_watchers
    WHERE recording_id = ${id} AND user_id = ${userId} AND name = ${name}`.execute(store)
}
