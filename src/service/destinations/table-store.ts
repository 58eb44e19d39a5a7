import type { QuerySettings } from '../engines/clickhouse/clickhouse.ts'
import type { TableColumn, ValuedColumn } from '../warehouse/table-rows.ts'

/** A column and what the destination has for it. */
export type PlannedColumn = TableColumn & {
  /** Type in the existing table, or of the table to create; null if the existing table lacks the column. */
  typeThere: string | null
  /** Why values cannot be stored there; null if they can. */
  clash: string | null
}

/** What writing would do to a table: create it, or fill the columns that it has. */
export type TablePlan = {
  /** The table's name, quoted as its database does. */
  table: string
  exists: boolean
  /** The statements that create the table. */
  ddl: string
  columns: readonly PlannedColumn[]
  /** Columns of an existing table that writing does not fill. */
  unfilled: readonly { name: string; type: string }[]
  /** Whether windows can be told apart and so replaced, which requires the column `_spool_window`. */
  hasWindows: boolean
}

/** Name of the column that contains the window of a row, and of the table of deliveries beside it. */
export const windowColumn = '_spool_window'
export const deliveriesTable = '_spool_deliveries'

/** The types of a database. */
export type ColumnTypes = {
  /** Returns the type of a column in a table that the service creates. */
  typeOf(column: TableColumn): string
  /** Returns why values of a column cannot be stored in a column of this type, or null. */
  clashOf(column: TableColumn, typeThere: string): string | null
  /** Returns a column's name as the database compares it; by default the name itself. */
  nameOf?(name: string): string
}

/**
 * Compares columns with those of a table, types by name.
 * @param there null if the table is still to be created
 */
export function comparedColumns(
  columns: readonly TableColumn[],
  there: ReadonlyMap<string, string> | null,
  { typeOf, clashOf, nameOf = (name) => name }: ColumnTypes,
): Pick<TablePlan, 'exists' | 'columns' | 'unfilled' | 'hasWindows'> {
  const filled = new Set(columns.map(({ name }) => nameOf(name)))
  const others = [...(there ?? [])].filter(([name]) => name !== windowColumn && !filled.has(name))
  return {
    exists: there !== null,
    columns: columns.map((column) => {
      if (!there) return { ...column, typeThere: typeOf(column), clash: null }
      const typeThere = there.get(nameOf(column.name)) ?? null
      return { ...column, typeThere, clash: typeThere && clashOf(column, typeThere) }
    }),
    unfilled: others.map(([name, type]) => ({ name, type })),
    hasWindows: there === null || there.has(windowColumn),
  }
}

/** Returns the names of the columns that a row has, in their order. */
export function writtenNames({ columns, hasWindows }: TablePlan): string[] {
  const written = columns.filter(({ typeThere }) => typeThere !== null).map(({ name }) => name)
  return hasWindows ? [...written, windowColumn] : written
}

/** A window of an export. `key`: the value of `_spool_window`, `<export id>:<start>`. */
export type TableWindow = { exportId: string; key: string; runId: string }

/** How the engine writes rows for a database. */
export type TableText = {
  format: 'TabSeparated' | 'CSV'
  settings: QuerySettings
  /** Returns a column whose values the database has. */
  adapt(column: ValuedColumn): ValuedColumn
}

/** Passes rows as text, in the order of the planned columns and with the window last if the table has it, to `write`. */
export type RowStream = (write: (chunks: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>

/** Keeps one row per key: a row replaces that of the same key if its versions are newer, compared in this order. */
export type MergeKey = { keys: readonly string[]; versions: readonly string[] }

/** What is known of the loaded rows. `hash`: SHA-256 of the text that was sent. */
export type Delivery = { rows: number; hash: string }

/**
 * A table of a destination. One window is written at a time: its rows and its row in `_spool_deliveries` become visible together,
 * in `commit`, and replace those of an earlier run of the same window. Without a commit, `close` leaves everything as it was. If an
 * attempt is killed, even in its commit, the next one leaves each row once.
 */
export type TableStore = {
  /** @param merge how rows with the same key are merged; the statement that creates the table then makes the key unique */
  plan(columns: readonly TableColumn[], merge: MergeKey | null): Promise<TablePlan>
  /** Creates the table if it is absent, and loads the window's rows without showing them. Returns their number. */
  load(window: TableWindow, plan: TablePlan, rows: RowStream, merge: MergeKey | null): Promise<number>
  /** @param signal aborted when the attempt has to stop or has lost its run: no further statement begins then */
  commit(window: TableWindow, delivery: Delivery, signal: AbortSignal): Promise<void>
  /** Passes the rows of a window to `read` as tab-separated text that the engine reads with the columns' types. */
  read(
    window: Pick<TableWindow, 'key'>,
    columns: readonly TableColumn[],
    read: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void>
  close(): Promise<void>
}
