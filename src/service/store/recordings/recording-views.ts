import { sql, type Selectable } from 'kysely'
import type { Store } from '../schema/database.ts'
import type { RecordingViewsTable } from '../schema/recording-tables.ts'

export type RecordingViewRow = Selectable<RecordingViewsTable>

/** Lists the project's shared views and the user's own, by name. */
export function listRecordingViews(store: Store, projectId: number, userId: string) {
  return visibleTo(store, [projectId], userId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

/** Finds a view that the user may see. */
export function findRecordingView(store: Store, projectIds: readonly number[], userId: string, id: string) {
  return visibleTo(store, projectIds, userId).where('id', '=', id).executeTakeFirst()
}

function visibleTo(store: Store, projectIds: readonly number[], userId: string) {
  return store
    .selectFrom('recording_views')
    .selectAll()
    .where('project_id', 'in', [...projectIds, -1])
    .where((where) => where.or([where('shared', '=', true), where('user_id', '=', userId)]))
}

/** Inserts a view unless the project has `max` views; returns whether it was inserted. */
export async function insertRecordingView(store: Store, row: RecordingViewRow, max: number) {
  const { id, project_id, user_id, name, query, shared, created_at, last_updated_at } = row
  const { numAffectedRows } = await sql`
    INSERT INTO recording_views (id, project_id, user_id, name, query, shared, created_at, last_updated_at)
    SELECT ${id}::uuid, ${project_id}, ${user_id}::uuid, ${name}, ${query}, ${shared}, ${created_at}, ${last_updated_at}
    WHERE (SELECT count(*) FROM recording_views WHERE project_id = ${project_id}) < ${max}`.execute(store)
  return numAffectedRows === 1n
}
