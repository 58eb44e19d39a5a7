import type { Selectable } from 'kysely'
import type { ChangedField, ChangeKind } from '../../contract/batch-export-change.ts'
import type { ChangesTable, Store } from './database.ts'
import { newId } from './identifier.ts'

export type ChangeRow = Selectable<ChangesTable>

export type NewChange = {
  batchExportId: string
  kind: ChangeKind
  /** Label of the API key that made the change; null for the service itself. */
  actor: string | null
  at: Date
  fields: readonly ChangedField[]
}

/** Adds an entry to a batch export's history; call in the transaction of the change. */
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
