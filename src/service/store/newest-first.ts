import { sql, type Selectable } from 'kysely'
import type { Database, Store } from './database.ts'
import { keysetPage, type KeysetPage, type PagePosition } from './keyset-page.ts'

const pageSize = 50

/** Returns a page of an export's rows in this table, newest first; null if the position's row is not among them. */
export function newestFirst<Table extends 'batch_export_backfills' | 'batch_export_changes'>(
  store: Store,
  table: Table,
  batchExportId: string,
  position: PagePosition | null,
): Promise<KeysetPage<Selectable<Database[Table]>> | null> {
  const ofExport = sql`FROM ${sql.table(table)} WHERE batch_export_id = ${batchExportId}`
  return keysetPage({
    position,
    size: pageSize,
    descending: true,
    anchor: async (id) => (await sql`SELECT 1 ${ofExport} AND id = ${id}`.execute(store)).rows.length > 0,
    rows: async ({ anchor, comparison, direction, limit }) => {
      const beyond = anchor
        ? sql`AND (created_at, id) ${sql.raw(comparison)} (SELECT created_at, id ${ofExport} AND id = ${anchor})`
        : sql``
      const order = sql.raw(direction)
      const page = sql<Selectable<Database[Table]>>`
        SELECT * ${ofExport} ${beyond} ORDER BY created_at ${order}, id ${order} LIMIT ${limit}`
      return (await page.execute(store)).rows
    },
  })
}
