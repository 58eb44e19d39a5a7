import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { ErasedCounts, ErasureMention } from '../../../contract/privacy/person-erasure.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import type { PersonErasuresTable } from '../schema/privacy-tables.ts'

export type PersonErasureRow = Selectable<PersonErasuresTable>

/** Locks the oldest erasure that has something to do and that no other process works on; rows can still refer to it. */
export async function lockErasure(transaction: StoreTransaction, except: readonly string[]) {
  const rows = await rowsOf<PersonErasureRow>(transaction)`
    SELECT * FROM person_erasures WHERE purged_at IS NULL AND (finished_at IS NULL OR rewritten_at IS NOT NULL)
      AND id <> ALL (${except}::uuid[])
    ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`
  return rows[0]
}

/** Finds an erasure in progress of one of these distinct ids. */
export async function runningErasure(store: Store, projectId: number, distinctIds: readonly string[]) {
  const [row] = await rowsOf<PersonErasureRow>(store)`
    SELECT * FROM person_erasures
    WHERE project_id = ${projectId} AND finished_at IS NULL AND distinct_ids && ${distinctIds}::text[]`
  return row
}

/** Deletes a person and its distinct ids; returns these ids. */
export async function deletePerson(transaction: StoreTransaction, projectId: number, uuid: string) {
  const ids = await rowsOf<{ distinct_id: string }>(transaction)`
    DELETE FROM person_distinct_ids WHERE project_id = ${projectId}
      AND person_id = (SELECT id FROM persons WHERE project_id = ${projectId} AND uuid = ${uuid}::uuid)
    RETURNING distinct_id`
  await sql`DELETE FROM persons WHERE project_id = ${projectId} AND uuid = ${uuid}::uuid`.execute(transaction)
  return ids.map(({ distinct_id }) => distinct_id)
}

/** Deletes the persons that have no other distinct ids than these: those who were created from them meanwhile. */
export async function deletePersonsWithin(
  transaction: StoreTransaction,
  projectId: number,
  distinctIds: readonly string[],
): Promise<void> {
  const found = await rowsOf<{ id: number }>(transaction)`
    SELECT person_id AS id FROM person_distinct_ids WHERE person_id IN (
      SELECT person_id FROM person_distinct_ids WHERE project_id = ${projectId} AND distinct_id = ANY (${distinctIds}::text[]))
    GROUP BY person_id HAVING bool_and(distinct_id = ANY (${distinctIds}::text[]))`
  const ids = found.map(({ id }) => id)
  await sql`DELETE FROM person_distinct_ids WHERE person_id = ANY (${ids}::bigint[])`.execute(transaction)
  await sql`DELETE FROM persons WHERE id = ANY (${ids}::bigint[])`.execute(transaction)
}

type Erased = Pick<PersonErasureRow, 'project_id' | 'distinct_ids' | 'session_ids' | 'erased_until'>

/** The recordings of a person: those of the distinct ids, and those of sessions in which they sent events. */
function recordingsOf({ project_id, distinct_ids, session_ids, erased_until }: Erased): RawBuilder<unknown> {
  return sql`session_recordings WHERE project_id = ${project_id} AND created_at <= ${erased_until}
    AND (distinct_id = ANY (${distinct_ids}::text[]) OR session_id = ANY (${session_ids}::text[]))
    AND (deleted_at IS NULL OR deleted_by IS NOT NULL)`
}

/** Returns the sessions of the recordings of a person, and whether each began as another person's. */
export async function sessionsToErase(store: Store, erasure: Erased) {
  return await rowsOf<{ session_id: string; is_of_other: boolean }>(store)`
    SELECT session_id, distinct_id <> ALL (${erasure.distinct_ids}::text[]) AS is_of_other FROM ${recordingsOf(erasure)}`
}

export async function recordingsToErase(store: Store, erasure: Erased, limit: number): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    store,
  )`SELECT id FROM ${recordingsOf(erasure)} ORDER BY id LIMIT ${limit}`
  return rows.map(({ id }) => id)
}

type RecordingCounts = Pick<ErasedCounts, 'recordings' | 'blocks' | 'assets' | 'notes' | 'summaries'>

export async function countRecordings(store: Store, erasure: Erased): Promise<RecordingCounts> {
  const of = (table: string) => sql`${sql.table(table)} WHERE recording_id IN (SELECT id FROM found)`
  const [counts] = await rowsOf<RecordingCounts>(store)`
    WITH found AS MATERIALIZED (SELECT id FROM ${recordingsOf(erasure)}),
    own AS (SELECT DISTINCT project_id, hash FROM ${of('session_recording_assets')} AND hash IS NOT NULL)
    SELECT (SELECT count(*) FROM found) AS recordings, (SELECT count(*) FROM ${of('session_recording_blocks')}) AS blocks,
      (SELECT count(*) FROM own WHERE NOT EXISTS (SELECT FROM session_recording_assets other
        WHERE other.project_id = own.project_id AND other.hash = own.hash AND other.recording_id NOT IN (SELECT id FROM found))) AS assets,
      (SELECT count(*) FROM ${of('recording_notes')}) AS notes,
      (SELECT count(*) FROM ${of('session_recording_summaries')})
        + (SELECT count(DISTINCT summary_id) FROM ${of('group_summary_items')}) AS summaries`
  if (!counts) throw new Error('an aggregate returns a row')
  return counts
}

/** Deletes what else tells of the sessions: summaries of several recordings, and names in bulk actions. */
export async function eraseSessionTexts(store: Store, { project_id, session_ids }: Erased): Promise<void> {
  await sql`DELETE FROM group_summaries WHERE id IN (
    SELECT summary_id FROM group_summary_items JOIN session_recordings recording ON recording.id = recording_id
    WHERE recording.project_id = ${project_id} AND session_id = ANY (${session_ids}::text[]))`.execute(store)
  await sql`UPDATE bulk_action_items SET name = 'Erased person', visitor = NULL FROM bulk_actions action
    WHERE action.id = bulk_action_id AND project_id = ${project_id} AND object_id = ANY (${session_ids}::text[])`.execute(
    store,
  )
}

type Filter = ErasureMention & { text: string }

/** Returns the saved filters and queries of a project, with their texts. */
export async function savedFilters(store: Store, projectId: number): Promise<Filter[]> {
  return await rowsOf<Filter>(store)`
    SELECT 'saved_view' AS kind, id, name, query AS text FROM recording_views WHERE project_id = ${projectId}
    UNION ALL SELECT 'collection', id, name, query FROM recording_collections WHERE project_id = ${projectId} AND query IS NOT NULL
    UNION ALL SELECT 'export', id, name, hogql_query FROM batch_exports
      WHERE project_id = ${projectId} AND deleted_at IS NULL AND hogql_query IS NOT NULL`
}
