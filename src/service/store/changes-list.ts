import { sql, type Selectable } from 'kysely'
import type { ChangedField, ChangeKind } from '../../contract/batch-export-change.ts'
import type { ChangesTable, Store } from './database.ts'
import { newId } from './identifier.ts'
import { keysetPage, type KeysetPage, type Position } from './keyset-page.ts'

export type ChangeRow = Selectable<ChangesTable>

const changesPageSize = 50

export type NewChange = {
  batchExportId: string
  kind: ChangeKind
  /** Label of the key that did it; null: the service itself. */
  actor: string | null
  at: Date
  fields: readonly ChangedField[]
}

/** Adds to the history of a batch export; to be called in the transaction of the change. */
export async function insertChange(store: Store, change: NewChange): Promise<void> {
  await store
    .insertInto('batch_export_changes')
    .values({
      id: newId(change.at.getTime()),
      batch_export_id: change.batchExportId,
      kind: change.kind,
      actor: change.actor,
      created_at: change.at,
      fields: JSON.stringify(change.fields),
    })
    .execute()
}

/** One page of an export's history, newest first; null when the position names no change of it. */
export function pageOfChanges(
  store: Store,
  batchExportId: string,
  position: Position | null,
): Promise<KeysetPage<ChangeRow> | null> {
  const query = store
    .selectFrom('batch_export_changes')
    .selectAll()
    .where('batch_export_id', '=', batchExportId)
  return keysetPage({
    position,
    size: changesPageSize,
    descending: true,
    anchor: async (id) => (await query.where('id', '=', id).executeTakeFirst()) !== undefined,
    rows: (from) => {
      const bounded = from.anchor
        ? query.where(
            sql<boolean>`(created_at, id) ${sql.raw(from.comparison)} (SELECT created_at, id FROM batch_export_changes WHERE id = ${from.anchor})`,
          )
        : query
      return bounded
        .orderBy('created_at', from.direction)
        .orderBy('id', from.direction)
        .limit(from.limit)
        .execute()
    },
  })
}
