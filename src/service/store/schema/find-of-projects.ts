import { sql, type Selectable } from 'kysely'
import { rowsOf, type Database, type Store } from './database.ts'

/** Tables whose rows belong to a project and have a UUID. */
export type ProjectTable =
  | 'batch_export_changes'
  | 'batch_export_runs'
  | 'bulk_actions'
  | 'repair_plans'
  | 'group_summaries'
  | 'person_erasures'

/** Finds a row of one of these projects; `id` must be a UUID. */
export async function findOfProjects<Name extends ProjectTable>(
  store: Store,
  table: Name,
  projectIds: readonly number[],
  id: string,
): Promise<Selectable<Database[Name]> | undefined> {
  const rows = await rowsOf<Selectable<Database[Name]>>(store)`
    SELECT * FROM ${sql.table(table)} WHERE id = ${id} AND project_id = ANY (${projectIds}::integer[])`
  return rows[0]
}
