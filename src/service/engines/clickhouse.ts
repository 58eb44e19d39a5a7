export type Row = Record<string, unknown>
export type QuerySettings = Record<string, string | number | boolean>
/** Group of connections that a statement uses; `export` is separate because its statements take minutes. */
export type Lane = 'read' | 'write' | 'export'

export type StatementOptions = {
  /** Values of the `{name: Type}` parameters in the text. */
  params?: Row
  /** Settings for this statement only; inserted at the settingsMarker of statement.ts, or else at the end. */
  settings?: QuerySettings
  /** Name under which `progress` and `kill` find the running statement. */
  mark?: string
  /** Default: `read` for queries, `write` for commands. */
  lane?: Lane
}

export type QueryProgress = { readRows: number; totalRows: number; writtenRows: number }

/** The analytics engine, embedded or at a URL. Errors are ClickHouseError of @clickhouse/client, with code and type. */
export type Warehouse = {
  embedded: boolean
  /** Returns the rows of a SELECT; 64-bit integers as numbers, dates as text in UTC. */
  query<T extends Row>(sql: string, options?: StatementOptions): Promise<T[]>
  /** Runs a statement that returns no rows. */
  command(sql: string, options?: StatementOptions): Promise<void>
  /** Inserts newline-separated JSON objects; resolves when they are durable. An empty body inserts nothing. */
  insert(table: string, columns: readonly string[], body: string): Promise<void>
  /** Returns the progress of the marked statement; null if no statement with that mark is running. */
  progress(mark: string): Promise<QueryProgress | null>
  /** Requests that the marked statement stop; the statement then fails with QUERY_WAS_CANCELLED. */
  kill(mark: string): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
