import type { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import { safeJson } from '../../engines/safe-text.ts'
import type { Store } from '../schema/database.ts'
import type { RecordingRow } from './session-recordings.ts'

/** `content` is markdown. */
export type StoredSummary = { content: string; summary: RecordingSummary }

/** Finds the summary of a recording; undefined if the recording has received data since the summary. */
export async function findSummary(
  store: Store,
  { id, block_count }: RecordingRow,
): Promise<StoredSummary | undefined> {
  return await store
    .selectFrom('session_recording_summaries')
    .select(['content', 'summary'])
    .where('recording_id', '=', id)
    .where('block_count', '=', block_count)
    .executeTakeFirst()
}

/** Stores a summary, unless the recording has been deleted meanwhile or has a summary of more data. */
export async function storeSummary(
  store: Store,
  { id, block_count }: RecordingRow,
  { content, summary }: StoredSummary,
): Promise<void> {
  const text = safeJson(summary)
  await store
    .insertInto('session_recording_summaries')
    .columns(['recording_id', 'block_count', 'content', 'summary'])
    .expression((expression) =>
      expression
        .selectFrom('session_recordings')
        .select(({ ref, val, cast }) => [
          ref('id').as('recording_id'),
          val(block_count).as('block_count'),
          val(content).as('content'),
          cast<string>(val(text), 'jsonb').as('summary'),
        ])
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .forShare(),
    )
    .onConflict((conflict) =>
      conflict
        .column('recording_id')
        .doUpdateSet(({ ref }) => ({
          block_count: ref('excluded.block_count'),
          content: ref('excluded.content'),
          summary: ref('excluded.summary'),
        }))
        .whereRef('session_recording_summaries.block_count', '<=', 'excluded.block_count'),
    )
    .execute()
}
