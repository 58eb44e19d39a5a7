import { sql, type RawBuilder } from 'kysely'
import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import type { Store } from '../schema/database.ts'
import type { RecordingRow } from './session-recordings.ts'

/** A selection of a project's recordings, in order. */
export type RecordingSelection = {
  projectId: number
  conditions: readonly RawBuilder<boolean>[]
  order: RecordingOrder
  direction: 'ASC' | 'DESC'
}
export type Slice = { limit: number; offset: number }

/** Recordings that a filter may select before their count is estimated. */
export const countedMax = 10_000
const sampleSize = 1000

/** Counts all recordings of a project. */
export async function countRecordings(store: Store, projectId: number): Promise<number> {
  const row = await store
    .selectFrom('session_recording_counts')
    .select('count')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Estimates the share of the project's recordings that is selected, from 0 to 1, from a random sample. */
export async function selectedShare(
  store: Store,
  { projectId, conditions }: RecordingSelection,
): Promise<number> {
  const { rows } = await sql<{ share: number | null }>`
    SELECT avg(((${all(conditions)}) IS TRUE)::integer)::double precision AS share FROM (
      SELECT * FROM session_recordings WHERE project_id = ${projectId} AND deleted_at IS NULL
      ORDER BY hashint8(id) LIMIT ${sampleSize}) AS recording`.execute(store)
  return rows[0]?.share ?? 0
}

type SampledRow = Pick<RecordingRow, 'session_id' | 'start_time'> & { flags: boolean[] }

/** Returns the selected recordings of a random sample of `size`, each with which of the `flags` it meets. */
export async function sampleRecordings(
  store: Store,
  { projectId, conditions }: Pick<RecordingSelection, 'projectId' | 'conditions'>,
  flags: readonly RawBuilder<boolean>[],
): Promise<{ size: number; rows: SampledRow[] }> {
  const { rows } = await sql<SampledRow & { selected: boolean }>`
    SELECT session_id, start_time, (${all(conditions)}) IS TRUE AS selected,
      ARRAY[${sql.join(flags.map((flag) => sql`(${flag}) IS TRUE`))}] AS flags
    FROM (SELECT * FROM session_recordings WHERE project_id = ${projectId} AND deleted_at IS NULL
      ORDER BY hashint8(id) LIMIT ${sampleSize}) AS recording`.execute(store)
  return { size: rows.length, rows: rows.filter(({ selected }) => selected) }
}

/** Counts the selected recordings that meet each of the `flags`, among the first `limit` at most. */
export async function countSelected(
  store: Store,
  { projectId, conditions }: Pick<RecordingSelection, 'projectId' | 'conditions'>,
  flags: readonly RawBuilder<boolean>[],
  limit: number | null = null,
): Promise<number[]> {
  const { rows } = await sql<{ counts: number[] }>`
    SELECT ARRAY[${sql.join(flags.map((_, index) => sql`count(*) FILTER (WHERE flags[${index + 1}::int])::integer`))}] AS counts
    FROM (SELECT ARRAY[${sql.join(flags.map((flag) => sql`(${flag}) IS TRUE`))}] AS flags FROM session_recordings recording
      WHERE project_id = ${projectId} AND deleted_at IS NULL AND ${all(conditions)} LIMIT ${limit}) AS selected`.execute(
    store,
  )
  return rows[0]?.counts ?? flags.map(() => 0)
}

/** Counts a small selection of recordings and returns a slice of their ids; null if there are more than `countedMax`. */
export async function collectRecordings(
  store: Store,
  { projectId, conditions, order, direction }: RecordingSelection,
  { limit, offset }: Slice,
): Promise<{ count: number; ids: number[] } | null> {
  const { rows } = await sql<{ count: number; ids: number[] }>`
    WITH selected AS MATERIALIZED (
      SELECT id, ${sql.ref(order)} AS place FROM session_recordings recording
      WHERE project_id = ${projectId} AND deleted_at IS NULL AND ${all(conditions)} LIMIT ${countedMax + 1})
    SELECT (SELECT count(*) FROM selected) AS count,
      ARRAY(SELECT id FROM selected ORDER BY ${ordered('place', direction)} LIMIT ${limit} OFFSET ${offset}) AS ids`.execute(
    store,
  )
  const [found] = rows
  return found && found.count <= countedMax ? found : null
}

/** Returns the sessions of the selected recordings, in no order; null if there are more than `countedMax`. */
export async function selectedSessions(
  store: Store,
  { projectId, conditions }: RecordingSelection,
): Promise<Pick<RecordingRow, 'session_id' | 'start_time'>[] | null> {
  const { rows } = await sql<Pick<RecordingRow, 'session_id' | 'start_time'>>`
    SELECT session_id, start_time FROM session_recordings recording
    WHERE project_id = ${projectId} AND deleted_at IS NULL AND ${all(conditions)} LIMIT ${countedMax + 1}`.execute(
    store,
  )
  return rows.length > countedMax ? null : rows
}

/** Returns a slice of a large selection, in order, by reading the index for that order until the slice is full. */
export async function walkRecordings(
  store: Store,
  { projectId, conditions, order, direction }: RecordingSelection,
  { limit, offset }: Slice,
): Promise<Pick<RecordingRow, 'id' | 'session_id' | 'start_time'>[]> {
  // The join comes last, so that rows skipped by the offset are read from the index only.
  const { rows } = await sql<Pick<RecordingRow, 'id' | 'session_id' | 'start_time'>>`
    SELECT id, session_id, start_time FROM session_recordings JOIN (
      SELECT id, row_number() OVER () AS number FROM (
        SELECT id FROM session_recordings recording
        WHERE project_id = ${projectId} AND deleted_at IS NULL AND ${all(conditions)}
        ORDER BY ${ordered(order, direction)} LIMIT ${limit} OFFSET ${offset}) AS slice) AS numbered USING (id)
    ORDER BY number`.execute(store)
  return rows
}

/** Returns the selected recordings after this id, by id. */
export async function recordingsAfter(
  store: Store,
  { projectId, conditions }: Pick<RecordingSelection, 'projectId' | 'conditions'>,
  after: number,
  limit: number,
): Promise<Pick<RecordingRow, 'id' | 'session_id' | 'start_time'>[]> {
  const { rows } = await sql<Pick<RecordingRow, 'id' | 'session_id' | 'start_time'>>`
    SELECT id, session_id, start_time FROM session_recordings recording
    WHERE project_id = ${projectId} AND deleted_at IS NULL AND id > ${after} AND ${all(conditions)}
    ORDER BY id LIMIT ${limit}`.execute(store)
  return rows
}

/** Returns the recordings with these ids, in the order of the ids. */
export async function recordingsById(store: Store, ids: readonly number[]): Promise<RecordingRow[]> {
  const { rows } = await sql<RecordingRow>`
    SELECT recording.* FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS given (id, number)
    JOIN session_recordings recording USING (id) WHERE deleted_at IS NULL ORDER BY number`.execute(store)
  return rows
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` AND `)}`
}

function ordered(column: string, direction: 'ASC' | 'DESC'): RawBuilder<unknown> {
  const keyword = sql.raw(direction)
  return sql`${sql.ref(column)} ${keyword}, id ${keyword}`
}
