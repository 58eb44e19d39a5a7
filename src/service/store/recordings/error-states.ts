import { sql, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { ErrorStatesTable } from '../schema/facts-tables.ts'
import { findRows } from '../schema/rows.ts'

export type ErrorStateRow = Selectable<ErrorStatesTable>

/** Returns the states that someone has set, by cluster; the other clusters are open. */
export async function errorStatesOf(store: Store, projectId: number) {
  const rows = await findRows(store, 'error_states', { project_id: projectId })
  return new Map(rows.map((row) => [row.cluster, row]))
}

/** Sets the state of clusters, whose patterns are given. */
export async function setErrorStates(
  store: Store,
  { project_id, state, actor, changed_at }: Omit<ErrorStateRow, 'cluster' | 'pattern'>,
  patterns: ReadonlyMap<number, string>,
) {
  await sql`
    INSERT INTO error_states (project_id, cluster, pattern, state, actor, changed_at)
    SELECT ${project_id}, cluster, pattern, ${state}, ${actor}, ${changed_at}
    FROM unnest(${[...patterns.keys()]}::integer[], ${[...patterns.values()]}::text[]) given (cluster, pattern)
    ON CONFLICT (project_id, cluster) DO UPDATE
      SET state = excluded.state, actor = excluded.actor, changed_at = excluded.changed_at`.execute(store)
}
