import { sql, type SelectQueryBuilder } from 'kysely'
import type { Database } from './database.ts'

/** Start of a page: after the row `id`, or before it if `back`. */
export type PagePosition = { id: string; back: boolean }

export type KeysetPage<Row> = { rows: Row[]; hasNext: boolean; hasPrevious: boolean }

type PageBounds = {
  /** Id of the row next to the page's first row; null for the first page. */
  anchor: string | null
  comparison: '<' | '>'
  direction: 'asc' | 'desc'
  limit: number
}

type KeysetQuery<Row> = {
  position: PagePosition | null
  size: number
  descending: boolean
  /** Whether the position's row exists. */
  anchor: (id: string) => Promise<boolean>
  rows: (bounds: PageBounds) => Promise<Row[]>
}

/**
 * Returns the page after or before a row; null if that row does not exist. Unlike with an offset, rows inserted between
 * two requests cause no repeated or missing rows.
 */
export async function keysetPage<Row>(query: KeysetQuery<Row>): Promise<KeysetPage<Row> | null> {
  const { position, size, descending } = query
  if (position && !(await query.anchor(position.id))) return null
  const back = position?.back ?? false
  const downward = descending !== back
  const found = await query.rows({
    anchor: position?.id ?? null,
    comparison: downward ? '<' : '>',
    direction: downward ? 'desc' : 'asc',
    limit: size + 1,
  })
  const more = found.length > size
  const rows = found.slice(0, size)
  return back
    ? { rows: rows.reverse(), hasNext: true, hasPrevious: more }
    : { rows, hasNext: more, hasPrevious: position !== null }
}

/** Returns a page of the rows that `listed` selects from `table`, newest first; null if the position's row is not among them. */
export function newestFirst<Tables, Table extends keyof Tables, Row>(
  listed: SelectQueryBuilder<Tables, Table, Row>,
  { table, position, size }: { table: keyof Database; position: PagePosition | null; size: number },
) {
  return keysetPage({
    position,
    size,
    descending: true,
    anchor: async (id) => (await listed.where(sql<boolean>`id = ${id}`).executeTakeFirst()) !== undefined,
    rows: ({ anchor, comparison, direction, limit }) =>
      listed
        .$if(anchor !== null, (rows) =>
          rows.where(
            sql<boolean>`(created_at, id) ${sql.raw(comparison)} (SELECT created_at, id FROM ${sql.table(table)} WHERE id = ${anchor})`,
          ),
        )
        .orderBy(sql`created_at`, direction)
        .orderBy(sql`id`, direction)
        .limit(limit)
        .execute(),
  })
}
