export type Row = Record<string, unknown>
export type QuerySettings = Record<string, string | number | boolean>
/** Which connections a statement uses; `export` has its own, so that statements of minutes hold up no others. */
export type Lane = 'read' | 'write' | 'export'

export type StatementOptions = {
  /** Values of the `{name: Type}` parameters in the text. */
  params?: Row
  /** Hold for this statement alone; written where the text holds the settingsMarker of statement.ts, else at its end. */
  settings?: QuerySettings
  /** Name by which `progress` and `kill` find the statement while it runs. */
  mark?: string
  /** Default: `read` for queries, `write` for commands. */
  lane?: Lane
}

export type QueryProgress = { readRows: number; totalRows: number; writtenRows: number }

/** The analytics engine, embedded or by URL; its errors are the ClickHouseError of @clickhouse/client with code and type. */
export type Warehouse = {
  embedded: boolean
  /** The rows of a SELECT. 64-bit integers come as numbers, dates as text in UTC. */
  query<T extends Row>(sql: string, options?: StatementOptions): Promise<T[]>
  /** A statement without a result. */
  command(sql: string, options?: StatementOptions): Promise<void>
  /** Inserts newline-separated JSON objects; resolves when they are durable, empty text does nothing. */
  insert(table: string, columns: readonly string[], body: string): Promise<void>
  /** How far the marked statement is; null when none runs by that mark. */
  progress(mark: string): Promise<QueryProgress | null>
  /** Asks the marked statement to stop; it then fails with QUERY_WAS_CANCELLED. */
  kill(mark: string): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
