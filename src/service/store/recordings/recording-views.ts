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
