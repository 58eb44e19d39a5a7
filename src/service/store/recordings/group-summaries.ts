import { sql, type RawBuilder, type Selectable } from 'kysely'
import { type GroupSummaryResult, sampleMax } from '../../../contract/recordings/group-summary.ts'
import { recordingName } from '../runs/bulk-items.ts'
import { safeJson } from '../../engines/safe-text.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { countOf, insertRow } from '../schema/rows.ts'
import { fromSelected } from './recordings-list.ts'
import type { RecordingRow } from './session-recordings.ts'
import type { GroupSummariesTable, StoredFacts } from '../schema/facts-tables.ts'

export type GroupSummaryRow = Selectable<GroupSummariesTable>

/**
 * Creates a summary of the recordings that meet the conditions, as they are now; of more than `sampleMax`, of a random
 * sample that is the same every time. @returns the number of recordings if it is 0 or above `matchedMax`; then, nothing is stored.
 */
export async function insertGroupSummary(
  store: Store,
  row: Pick<GroupSummaryRow, 'id' | 'project_id' | 'actor' | 'created_at'>,
  conditions: readonly RawBuilder<boolean>[],
  matchedMax: number,
) {
  const selected = { projectId: row.project_id, conditions }
  return await store.transaction().execute(async (transaction) => {
    const rows = await rowsOf<{ id: number; matched: number }>(transaction)`
      SELECT id, count(*) OVER () AS matched ${fromSelected(selected)} ORDER BY hashint8(id), id LIMIT ${sampleMax}`
    const matched = rows[0]?.matched ?? 0
    if (matched === 0 || matched > matchedMax) return matched
    const running = { ...row, status: 'Running' as const, matched, total: rows.length }
    const created = await insertRow(transaction, 'group_summaries', running)
    await sql`INSERT INTO group_summary_items (summary_id, recording_id)
      SELECT ${row.id}::uuid, unnest(${rows.map(({ id }) => id)}::bigint[])`.execute(transaction)
    return created
  })
}

/** Counts the summaries of a project that are in progress. */
export function countRunning(store: Store, projectId: number) {
  return countOf(store, sql`group_summaries WHERE project_id = ${projectId} AND status = 'Running'`)
}

/** Claims the oldest summary in progress that no other process works on. */
export async function claimGroupSummary(store: Store, now: number, claimMs: number) {
  const [claimed] = await rowsOf<GroupSummaryRow>(store)`
    UPDATE group_summaries SET claimed_until = ${new Date(now + claimMs)} WHERE id = (
      SELECT id FROM group_summaries
      WHERE status = 'Running' AND (claimed_until IS NULL OR claimed_until < ${new Date(now)})
      ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`
  return claimed
}

/** Returns the next recordings of a summary that have not been read since their last data; marks the others as done. */
export async function nextUnread(store: Store, id: string, limit: number) {
  await sql`
    UPDATE group_summary_items item SET done = true FROM session_recordings recording
    WHERE summary_id = ${id} AND NOT done AND recording.id = item.recording_id
      AND (deleted_at IS NOT NULL OR facts_made_at >= last_updated_at)`.execute(store)
  return await rowsOf<RecordingRow>(store)`
    SELECT recording.* FROM group_summary_items item JOIN session_recordings recording ON recording.id = item.recording_id
    WHERE summary_id = ${id} AND NOT done ORDER BY recording_id LIMIT ${limit}`
}

export async function markDone(store: Store, id: string, recordingId: number) {
  await sql`UPDATE group_summary_items SET done = true
    WHERE summary_id = ${id} AND recording_id = ${recordingId}`.execute(store)
}

/** Updates the progress and releases the claim. */
export async function releaseGroupSummary(store: Store, id: string) {
  await sql`UPDATE group_summaries SET claimed_until = NULL, done = total - (
      SELECT count(*) FROM group_summary_items WHERE summary_id = ${id} AND NOT group_summary_items.done)
    WHERE id = ${id} AND status = 'Running'`.execute(store)
}

type SummarizedRecording = Pick<RecordingRow, 'session_id' | 'distinct_id'> & {
  name: string
  facts: StoredFacts | null
}

/** Makes all claimed summaries available again, when no other process can be working on them. */
export async function releaseGroupSummaries(store: Store): Promise<void> {
  await sql`UPDATE group_summaries SET claimed_until = NULL WHERE status = 'Running'`.execute(store)
}

/** Returns the recordings of a summary, with their facts. */
export async function summarizedRecordings(store: Store, id: string) {
  return await rowsOf<SummarizedRecording>(store)`
    SELECT session_id, distinct_id, ${recordingName} AS name, facts FROM group_summary_items item
    JOIN session_recordings recording ON recording.id = item.recording_id
    LEFT JOIN recording_facts facts ON facts.recording_id = item.recording_id
    WHERE summary_id = ${id} AND deleted_at IS NULL`
}

/** Ends a summary in progress; returns it unless it has ended meanwhile. */
export async function endGroupSummary(
  store: Store,
  id: string,
  end: { status: 'Completed' | 'Cancelled'; result: GroupSummaryResult | null; finished_at: Date },
) {
  return await store
    .updateTable('group_summaries')
    .set({ ...end, result: end.result && safeJson(end.result) })
    .$if(end.status === 'Completed', (update) => update.set(({ ref }) => ({ done: ref('total') })))
    .where('id', '=', id)
    .where('status', '=', 'Running')
    .returningAll()
    .executeTakeFirst()
}

export async function replaceResult(store: Store, id: string, result: GroupSummaryResult) {
  await sql`UPDATE group_summaries SET result = ${safeJson(result)} WHERE id = ${id}`.execute(store)
}

/** Deletes summaries created before `time`. */
export async function deleteGroupSummariesBefore(store: Store, time: Date): Promise<void> {
  await store.deleteFrom('group_summaries').where('created_at', '<', time).execute()
}
