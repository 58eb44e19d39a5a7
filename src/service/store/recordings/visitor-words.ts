import { sql } from 'kysely'
import { rowsOf, type Store } from '../schema/database.ts'

// OFFSET keeps the planner from joining all persons with all recordings first.
/** A condition on `recording`: its person, if there is one, has no name other than the distinct id. */
export const isUnnamed = sql<boolean>`NOT EXISTS (
  SELECT FROM person_distinct_ids own JOIN persons person ON person.id = own.person_id
  WHERE own.project_id = recording.project_id AND own.distinct_id = recording.distinct_id
    AND person_name(person.properties) <> own.distinct_id OFFSET 0)`

/**
 * Returns the recorded visitors that are known by two words with one of these codes: all of them if fewer than `limit`, else at
 * least `limit`. Half of the codes are searched in a second connection at the same time, because each visitor's person is looked up.
 */
export async function unnamedVisitors(
  store: Store,
  projectId: number,
  codes: readonly number[],
  limit: number,
) {
  const middle = Math.ceil(codes.length / 2)
  const halves = [codes.slice(0, middle), codes.slice(middle)].filter((half) => half.length > 0)
  const found = await Promise.all(halves.map((half) => visitorsOf(store, projectId, half, limit)))
  return found.flat()
}

async function visitorsOf(store: Store, projectId: number, codes: readonly number[], limit: number) {
  // Materialized, because the planner would read all recordings by distinct id until the limit is reached.
  const [found] = await rowsOf<{ ids: string[] }>(store)`
    WITH recording AS MATERIALIZED (SELECT DISTINCT project_id, distinct_id FROM session_recordings
      WHERE project_id = ${projectId} AND deleted_at IS NULL AND visitor_words = ANY (${codes}::smallint[]))
    SELECT to_json(ARRAY(SELECT distinct_id FROM recording WHERE ${isUnnamed} LIMIT ${limit})) AS ids`
  return found?.ids ?? []
}
