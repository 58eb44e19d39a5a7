import { sql } from 'kysely'
import { rowsOf, type Store } from '../schema/database.ts'
import type { RecordingSelection, Slice } from './recordings-list.ts'

/** An arbitrary lock that nothing else in this database uses. */
const mergeLock = sql`(4283, 3)`

/** Returns the ids of a slice of a project's recordings, sorted by start; skips whole hours before the slice by their counts. */
export async function idsFromHour(
  store: Store,
  { projectId, direction }: Pick<RecordingSelection, 'projectId' | 'direction'>,
  { limit, offset }: Slice,
) {
  const order = sql.raw(direction)
  const fromHour =
    direction === 'ASC'
      ? sql`start_time >= (SELECT hour FROM first)`
      : sql`start_time < (SELECT hour + interval '1 hour' FROM first)`
  const rows = await rowsOf<{ id: number }>(store)`
    WITH hours AS (
        SELECT hour, sum(sum(count)) OVER (ORDER BY hour ${order}) AS until, sum(count) AS count
        FROM session_recording_hours WHERE project_id = ${projectId} GROUP BY hour),
      first AS MATERIALIZED (
        SELECT hour, until - count AS before FROM hours WHERE until > ${offset}::bigint ORDER BY hour ${order} LIMIT 1)
    SELECT id FROM session_recordings WHERE project_id = ${projectId} AND deleted_at IS NULL AND ${fromHour}
    ORDER BY start_time ${order}, id ${order} LIMIT ${limit} OFFSET (SELECT ${offset}::bigint - before FROM first)`
  return rows.map(({ id }) => id)
}

/** Merges the rows of each hour into one; does nothing while another process does. */
export async function mergeHours(store: Store): Promise<void> {
  await sql`
    WITH several AS (
        SELECT project_id, hour FROM session_recording_hours WHERE (SELECT pg_try_advisory_xact_lock${mergeLock})
        GROUP BY project_id, hour HAVING count(*) > 1),
      parts AS (DELETE FROM session_recording_hours hours USING several
        WHERE hours.project_id = several.project_id AND hours.hour = several.hour RETURNING hours.*)
    INSERT INTO session_recording_hours
    SELECT project_id, hour, sum(count) FROM parts GROUP BY project_id, hour HAVING sum(count) <> 0`.execute(
    store,
  )
}
