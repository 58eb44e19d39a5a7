import type { Insertable, Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { ProjectsTable } from '../schema/account-tables.ts'

export type Project = Selectable<ProjectsTable>

export function insertProject(store: Store, project: Insertable<ProjectsTable>): Promise<Project> {
  return store.insertInto('projects').values(project).returningAll().executeTakeFirstOrThrow()
}

/** `id` must fit a 4-byte integer. */
export function findProject(store: Store, id: number): Promise<Project | undefined> {
  return store.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Lists the projects of an organization, oldest first. */
export function listProjects(store: Store, organizationId: string): Promise<Project[]> {
  return store
    .selectFrom('projects')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
}

/** Finds the project that was created first. */
export function firstProject(store: Store): Promise<Project | undefined> {
  return store.selectFrom('projects').selectAll().orderBy('id').limit(1).executeTakeFirst()
}
