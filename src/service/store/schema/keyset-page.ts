import { sql, type RawBuilder } from 'kysely'
import type { Store } from './database.ts'

/** Start of a page: after the row `id`, or before it if `back`. */
export type PagePosition = { id: string; back: boolean }

export type KeysetPage<Row> = { rows: Row[]; hasNext: boolean; hasPrevious: boolean }

type KeysetQuery = {
  /** The table. */
  from: RawBuilder<unknown>
  /** Which rows are listed; the position's row must be one of them. */
  among: RawBuilder<unknown>
  /** Which of those are shown. */
  filter?: RawBuilder<unknown>
  position: PagePosition | null
  size?: number
  /** Column by which the rows are sorted. */
  column?: string
  descending?: boolean
}

/**
 * Returns the page after or before a row, newest first by default; null if that row is not among those listed. Unlike with
 * an offset, rows inserted between two requests cause no repeated or missing rows.
 */
export async function keysetPage<Row>(
  store: Store,
  { from, among, filter, position, size = 50, column = 'created_at', descending = true }: KeysetQuery,
): Promise<KeysetPage<Row> | null> {
  const key = sql`${sql.ref(column)}, id`
  const anchor = position && sql`SELECT ${key} FROM ${from} WHERE ${among} AND id = ${position.id}`
  if (anchor && (await anchor.execute(store)).rows.length === 0) return null
  const back = position?.back ?? false
  const [comparison, direction] = descending === back ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
  const conditions = [
    among,
    ...(filter ? [filter] : []),
    ...(anchor ? [sql`(${key}) ${comparison} (${anchor})`] : []),
  ]
  const { rows: found } = await sql<Row>`SELECT * FROM ${from} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${sql.ref(column)} ${direction}, id ${direction} LIMIT ${size + 1}`.execute(store)
  const more = found.length > size
  const rows = found.slice(0, size)
  return back
    ? { rows: rows.reverse(), hasNext: true, hasPrevious: more }
    : { rows, hasNext: more, hasPrevious: position !== null }
}
