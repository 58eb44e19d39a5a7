import { sql, type Selectable } from 'kysely'
import type { DefinitionsTable } from './definition-tables.ts'
import type { Store } from './database.ts'

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
export async function definitionsOf(
  store: Store,
  exportIds: readonly string[],
): Promise<Map<string, DefinitionRow>> {
  const rows = await store
    .selectFrom('batch_export_definitions')
    .selectAll()
    .where(sql<boolean>`batch_export_id = ANY (${exportIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.batch_export_id, row]))
}
