import { sql } from 'kysely'
import type { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import { safeJson } from '../../engines/safe-text.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RecordingRow } from './session-recordings.ts'

/** `content` is markdown. */
export type StoredSummary = { content: string; summary: RecordingSummary }

/** Finds the summary of a recording; undefined if the recording has received data since the summary. */
export async function findSummary(store: Store, { id, block_count }: RecordingRow) {
  const [found] = await rowsOf<StoredSummary>(store)`
    SELECT content, summary FROM session_recording_summaries
    WHERE recording_id = ${id} AND block_count = ${block_count}`
  return found
}

/** Stores a summary, unless the recording has been deleted meanwhile or has a summary of more data. */
export async function storeSummary(
  store: Store,
  { id, block_count }: RecordingRow,
  { content, summary }: StoredSummary,
) {
  await sql`
    INSERT INTO session_recording_summaries AS stored (recording_id, block_count, content, summary)
    SELECT id, ${block_count}, ${content}, ${safeJson(summary)}::jsonb FROM session_recordings
    WHERE id = ${id} AND deleted_at IS NULL FOR SHARE
    ON CONFLICT (recording_id) DO UPDATE
      SET block_count = excluded.block_count, content = excluded.content, summary = excluded.summary
      WHERE stored.block_count <= excluded.block_count`.execute(store)
}
