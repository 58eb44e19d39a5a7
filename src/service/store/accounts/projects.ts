import { sql, type Selectable } from 'kysely'
import { preparedRowsOf, type Store } from '../schema/database.ts'
import type { ProjectsTable } from '../schema/account-tables.ts'
import { findRow, findRows } from '../schema/rows.ts'

export type Project = Selectable<ProjectsTable>

/** Lists the projects of an organization, oldest first. */
export function listProjects(store: Store, organizationId: string): Promise<Project[]> {
  return findRows(store, 'projects', { organization_id: organizationId }, sql`ORDER BY id`)
}

export async function findProject(store: Store, id: number): Promise<Project | undefined> {
  const [project] = await preparedRowsOf<Project>(store)`SELECT * FROM projects WHERE id = ${id}`
  return project
}

/** Finds the project that was created first. */
export function firstProject(store: Store): Promise<Project | undefined> {
  return findRow(store, 'projects', {}, sql`ORDER BY id LIMIT 1`)
}
