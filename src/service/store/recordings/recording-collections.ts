import { sql, type RawBuilder, type Selectable } from 'kysely'
import { inTransaction, rowsOf, type Store } from '../schema/database.ts'
import type { RecordingCollectionsTable } from '../schema/recording-tables.ts'
import { updateRows } from '../schema/rows.ts'
import { fromSelected } from './recordings-list.ts'

export type RecordingCollectionRow = Selectable<RecordingCollectionsTable> & { recording_count: number }

const selectCollections = sql`
  SELECT collection.*, (SELECT count(*) FROM recording_collection_items item
    JOIN session_recordings recording ON recording.id = item.recording_id
    WHERE collection_id = collection.id AND deleted_at IS NULL) AS recording_count
  FROM recording_collections collection`

/** Lists the collections of a project by name, each with the number of recordings added by hand. */
export async function listCollections(store: Store, projectId: number) {
  return await rowsOf<RecordingCollectionRow>(store)`
    ${selectCollections} WHERE project_id = ${projectId} ORDER BY lower(name), id`
}

/** Finds a collection; `id` must be a UUID. */
export async function findCollection(store: Store, projectIds: readonly number[], id: string) {
  const [collection] = await rowsOf<RecordingCollectionRow>(store)`
    ${selectCollections} WHERE id = ${id} AND project_id = ANY (${projectIds}::integer[])`
  return collection
}

/** Reports that a collection would have too many recordings. */
export class FullCollection extends Error {}

/**
 * Adds the recordings that meet the conditions to a collection.
 * @throws FullCollection if it would have more than `max` recordings; nothing is added then.
 */
export async function addToCollection(
  store: Store,
  { id, project_id }: Pick<RecordingCollectionRow, 'id' | 'project_id'>,
  conditions: readonly RawBuilder<boolean>[],
  { max, now }: { max: number; now: Date },
) {
  await inTransaction(store, async (transaction) => {
    await updateRows(transaction, 'recording_collections', { id }, { updated_at: now })
    await sql`
      INSERT INTO recording_collection_items (collection_id, recording_id)
      SELECT ${id}::uuid, id ${fromSelected({ projectId: project_id, conditions })} LIMIT ${max + 1}
      ON CONFLICT DO NOTHING`.execute(transaction)
    const [items] = await rowsOf<{ count: number }>(transaction)`
      SELECT count(*) FROM recording_collection_items WHERE collection_id = ${id}`
    if ((items?.count ?? 0) > max) throw new FullCollection()
  })
}

export async function removeFromCollection(store: Store, id: string, recordingId: number, now: Date) {
  await sql`DELETE FROM recording_collection_items
    WHERE collection_id = ${id} AND recording_id = ${recordingId}`.execute(store)
  await updateRows(store, 'recording_collections', { id }, { updated_at: now })
}
