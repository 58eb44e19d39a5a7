import { sql, type Selectable } from 'kysely'
import type { DefinitionsTable } from '../schema/export-tables.ts'
import type { BatchExportRow } from './batch-exports.ts'
import { findRows } from '../schema/rows.ts'
import type { Store } from '../schema/database.ts'

export type DefinitionRow = Selectable<DefinitionsTable>

/** Stores the settings that were applied to an export, in place of earlier ones. */
export async function saveDefinition(store: Store, definition: DefinitionRow): Promise<void> {
  const { batch_export_id, settings, secrets, ...rest } = definition
  const values = { ...rest, settings: JSON.stringify(settings), secrets: JSON.stringify(secrets) }
  await store
    .insertInto('batch_export_definitions')
    .values({ batch_export_id, ...values })
    .onConflict((conflict) => conflict.column('batch_export_id').doUpdateSet(values))
    .execute()
}

/** Returns what was last applied to these exports, by export; those never applied from a file are missing. */
export async function definitionsOf(store: Store, exportIds: readonly string[]) {
  if (exportIds.length === 0) return new Map<string, DefinitionRow>()
  const rows = await findRows(store, 'batch_export_definitions', { batch_export_id: exportIds })
  return new Map(rows.map((row) => [row.batch_export_id, row]))
}

/** Returns the exports of these projects that may differ from what was applied: those edited at that time or later. */
export function editedSinceApplied(store: Store, projectIds: readonly number[]): Promise<BatchExportRow[]> {
  return store
    .selectFrom('batch_export_definitions as definition')
    .innerJoin('batch_exports as edited', 'edited.id', 'definition.batch_export_id')
    .selectAll('edited')
    .where(sql<boolean>`edited.project_id = ANY (${projectIds}::integer[])`)
    .where('edited.deleted_at', 'is', null)
    .whereRef('edited.last_updated_at', '>=', 'definition.applied_at')
    .execute()
}
