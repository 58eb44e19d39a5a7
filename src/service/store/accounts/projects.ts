import { sql, type Insertable, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { ProjectsTable } from '../schema/account-tables.ts'
import { findRow, findRows } from '../schema/rows.ts'

export type Project = Selectable<ProjectsTable>

export function insertProject(store: Store, project: Insertable<ProjectsTable>): Promise<Project> {
  return store.insertInto('projects').values(project).returningAll().executeTakeFirstOrThrow()
}

/** `id` must fit a 4-byte integer. */
export function findProject(store: Store, id: number): Promise<Project | undefined> {
  return findRow(store, 'projects', { id })
}

/** Lists the projects of an organization, oldest first. */
export function listProjects(store: Store, organizationId: string): Promise<Project[]> {
  return findRows(store, 'projects', { organization_id: organizationId }, sql`ORDER BY id`)
}

/** Finds the project that was created first. */
export function firstProject(store: Store): Promise<Project | undefined> {
  return findRow(store, 'projects', {}, sql`ORDER BY id LIMIT 1`)
}
