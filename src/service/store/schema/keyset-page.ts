import { sql, type RawBuilder } from 'kysely'
import { rowsOf, type Store } from './database.ts'

/** Start of a page: after the row `id`, or before it if `back`. */
export type PagePosition = { id: string; back: boolean }

export type KeysetPage<Row> = { rows: Row[]; hasNext: boolean; hasPrevious: boolean }

type KeysetQuery<Row> = {
  /** The table. */
  from: RawBuilder<unknown>
  /** Which rows are listed; the position's row must be one of them. */
  among: RawBuilder<unknown>
  /** Which of those are shown. */
  filter?: RawBuilder<unknown>
  position: PagePosition | null
  /** Rows before the page if it has no position. */
  offset?: number
  size?: number
  /** Column by which the rows are sorted. */
  column?: string
  descending?: boolean
  /** Reads the rows of a statement, in the order of the list. */
  read?: ((rows: RawBuilder<unknown>) => Promise<Row[]>) | undefined
}

/**
 * Returns the page after or before a row, newest first by default; null if that row is not among those listed. Unlike with
 * an offset, rows inserted between two requests cause no repeated or missing rows.
 */
export async function keysetPage<Row>(
  store: Store,
  query: KeysetQuery<Row>,
): Promise<KeysetPage<Row> | null> {
  return (await isPositionListed(store, query)) ? await readPage(store, query) : null
}

/** Whether the page has no position, or its row is among those listed. */
export async function isPositionListed(store: Store, query: KeysetQuery<unknown>): Promise<boolean> {
  return !query.position || (await anchorOf(query, query.position).execute(store)).rows.length > 0
}

function columnOf({ column = 'created_at' }: KeysetQuery<unknown>): RawBuilder<unknown> {
  return sql.ref(column)
}

function keyOf(query: KeysetQuery<unknown>): RawBuilder<unknown> {
  return sql`${columnOf(query)}, id`
}

function anchorOf(query: KeysetQuery<unknown>, { id }: PagePosition): RawBuilder<unknown> {
  return sql`SELECT ${keyOf(query)} FROM ${query.from} WHERE ${query.among} AND id = ${id}`
}

/** Reads a page whose position, if it has one, is among the rows listed. */
export async function readPage<Row>(store: Store, query: KeysetQuery<Row>): Promise<KeysetPage<Row>> {
  const { from, among, filter = sql`true`, position, offset = 0, size = 50 } = query
  const { descending = true } = query
  const back = position?.back ?? false
  const order = (isDescending: boolean) => {
    const direction = isDescending ? sql`DESC` : sql`ASC`
    return sql`ORDER BY ${columnOf(query)} ${direction}, id ${direction}`
  }
  const comparison = descending === back ? sql`>` : sql`<`
  const start = position ? sql`(${keyOf(query)}) ${comparison} (${anchorOf(query, position)})` : sql`true`
  // One row more, to know whether others follow.
  const page = sql`SELECT * FROM ${from} WHERE ${among} AND ${filter} AND ${start}
    ${order(descending !== back)} LIMIT ${size + 1} OFFSET ${position ? 0 : offset}`
  const read =
    query.read ?? ((rows) => rowsOf<Row>(store)`SELECT * FROM (${rows}) AS page ${order(descending)}`)
  const found = await read(page)
  const isCut = found.length > size
  return back
    ? { rows: isCut ? found.slice(1) : found, hasNext: true, hasPrevious: isCut }
    : { rows: found.slice(0, size), hasNext: isCut, hasPrevious: position !== null || offset > 0 }
}
