import { sql } from 'kysely'
import type { StoreTransaction } from '../schema/database.ts'
import type { RecordingRow } from './session-recordings.ts'

/** Time (ms) after a session's last data before it is mirrored, and before it is mirrored even without its facts. */
const quietMs = 5 * 60_000
const factsMs = 2 * quietMs

/** Locks recordings with data that the warehouse lacks, those with the oldest first; other processes skip them. */
export async function lockUnmirrored(
  transaction: StoreTransaction,
  now: number,
  limit: number,
): Promise<RecordingRow[]> {
  const { rows } = await sql<RecordingRow>`
    SELECT * FROM session_recordings
    WHERE deleted_at IS NULL AND (mirrored_at IS NULL OR mirrored_at < last_updated_at)
      AND last_updated_at <= ${new Date(now - quietMs)}
      AND (facts_made_at >= last_updated_at OR last_updated_at <= ${new Date(now - factsMs)})
    ORDER BY last_updated_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(transaction)
  return rows
}

/** Marks locked recordings as mirrored. */
export async function markMirrored(
  transaction: StoreTransaction,
  recordingIds: readonly number[],
): Promise<void> {
  await sql`UPDATE session_recordings SET mirrored_at = last_updated_at
    WHERE id = ANY (${recordingIds}::bigint[])`.execute(transaction)
}
