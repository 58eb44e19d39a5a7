import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import { rowsOf, type Database, type Store } from './database.ts'
import { isPositionListed, readPage, type KeysetPage, type PagePosition } from './keyset-page.ts'

type Row<Table extends keyof Database> = Selectable<Database[Table]>

/** A value, or several possible ones, for each of some columns. */
type Values<Table extends keyof Database> = {
  [Column in keyof Row<Table>]?: Row<Table>[Column] | readonly Row<Table>[Column][]
}

/**
 * Returns the rows whose columns have these values.
 * @param end the end of the statement, such as an order, a limit or a lock
 */
export async function findRows<Table extends keyof Database>(
  store: Store,
  table: Table,
  values: Values<Table>,
  end = sql``,
): Promise<Row<Table>[]> {
  return await rowsOf<Row<Table>>(store)`
    SELECT * FROM ${sql.table(table)} WHERE ${haveValues(values)} ${end}`
}

/** Returns the first row that `findRows` finds. */
export async function findRow<Table extends keyof Database>(...search: Parameters<typeof findRows<Table>>) {
  const [row] = await findRows(...search)
  return row
}

/** Inserts a row and returns it. */
export function insertRow<Table extends keyof Database>(
  store: Store,
  table: Table,
  values: Insertable<Database[Table]>,
): Promise<Row<Table>> {
  const inserted = store.insertInto<keyof Database>(table).values(values).returningAll()
  return inserted.executeTakeFirstOrThrow() as Promise<Row<Table>>
}

/** Inserts a row unless its project has `max` rows of the table; returns whether it was inserted. */
export async function insertUpTo<Table extends keyof Database>(
  store: Store,
  table: Table,
  row: Row<Table> & { project_id: number },
  max: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
    SELECT ${sql.join(Object.values(row))}
    WHERE (SELECT count(*) FROM ${sql.table(table)} WHERE project_id = ${row.project_id}) < ${max}`.execute(
    store,
  )
  return numAffectedRows === 1n
}

/** Changes the rows whose columns have these values; returns their number. */
export async function updateRows<Table extends keyof Database>(
  store: Store,
  table: Table,
  values: Values<Table>,
  change: Updateable<Database[Table]>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(table)} SET ${assignments(change)} WHERE ${haveValues(values)}`.execute(store)
  return Number(numAffectedRows)
}

/** Changes the only row that has these values and returns it, or undefined. Takes the parameters of `updateRows`. */
export async function updateRow<Table extends keyof Database>(
  ...[store, table, values, change]: Parameters<typeof updateRows<Table>>
): Promise<Row<Table> | undefined> {
  const [row] = await rowsOf<Row<Table>>(store)`
    UPDATE ${sql.table(table)} SET ${assignments(change)} WHERE ${haveValues(values)} RETURNING *`
  return row
}

/** Deletes the rows whose columns have these values. */
export async function deleteRows<Table extends keyof Database>(
  store: Store,
  table: Table,
  values: Values<Table>,
): Promise<void> {
  await sql`DELETE FROM ${sql.table(table)} WHERE ${haveValues(values)}`.execute(store)
}

/** Returns a change as the list after SET; undefined changes nothing. */
export function assignments(change: object): RawBuilder<unknown> {
  const changed = Object.entries(change).filter(([, value]) => value !== undefined)
  return sql.join(changed.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
}

function haveValues(values: object): RawBuilder<unknown> {
  const conditions = Object.entries(values).map(([column, value]) => {
    if (value === null) return sql`${sql.ref(column)} IS NULL`
    return Array.isArray(value)
      ? sql`${sql.ref(column)} = ANY (${value})`
      : sql`${sql.ref(column)} = ${value}`
  })
  return sql.join([sql`true`, ...conditions], sql` AND `)
}

/** Whether a unique index refused a row that another request has just stored. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** Counts rows; `from` is the statement after FROM. */
export async function countOf(store: Store, from: RawBuilder<unknown>): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(store)`SELECT count(*) FROM ${from}`
  return row?.count ?? 0
}

/** `position`: the row after or before which the page begins, whatever its offset, while the list has this row. */
export type Page = { limit: number; offset: number; position?: PagePosition | null }

/** A page, and the number of all rows of its list. */
export type OffsetPage<Row> = KeysetPage<Row> & { count: number }

/**
 * Returns a page of rows, those with the latest `time` first; `from` is the statement after FROM, which ends with the conditions of the
 * list. `read` reads the rows of a statement in this order: by default, all columns.
 */
export async function offsetPage<Row>(
  store: Store,
  from: RawBuilder<unknown>,
  time: string,
  { limit, offset, position = null }: Page,
  read?: (rows: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<OffsetPage<Row>> {
  const listed = sql`(SELECT * FROM ${from}) AS listed`
  const query = { from: listed, among: sql`true`, column: time, size: limit, position, offset, read }
  const [page, count] = await Promise.all([
    isPositionListed(store, query).then((has) => readPage(store, has ? query : { ...query, position: null })),
    countOf(store, from),
  ])
  return { ...page, count }
}
