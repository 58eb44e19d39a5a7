import type { Selectable } from 'kysely'
import { rowsOf, type Store } from '../schema/database.ts'
import type { PersonDistinctIdsTable, PersonsTable } from '../schema/account-tables.ts'

export type PersonRow = Selectable<PersonsTable>
export type PersonDistinctIdRow = Selectable<PersonDistinctIdsTable>

export type RecordingPersonRow = Pick<PersonRow, 'id' | 'uuid' | 'properties' | 'created_at'> & {
  distinct_id: string
  /** At most ten. */
  distinct_ids: string[]
}

/** Finds the persons with these distinct ids, by distinct id. */
export async function personsOf(store: Store, projectId: number, distinctIds: readonly string[]) {
  const rows = await rowsOf<RecordingPersonRow>(store)`
    SELECT asked.distinct_id, person.id, person.uuid, person.properties, person.created_at,
      ARRAY(SELECT own.distinct_id FROM person_distinct_ids own WHERE own.person_id = person.id
        ORDER BY own.distinct_id LIMIT 10) AS distinct_ids
    FROM person_distinct_ids asked JOIN persons person ON person.id = asked.person_id
    WHERE asked.project_id = ${projectId} AND asked.distinct_id = ANY (${[...new Set(distinctIds)]}::text[])`
  return new Map(rows.map((row) => [row.distinct_id, row]))
}
