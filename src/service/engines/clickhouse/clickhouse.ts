export type Row = Record<string, unknown>
export type QuerySettings = Record<string, string | number | boolean>
/**
 * Group of connections that a statement uses. `export` statements take minutes, and `trial` statements may wait for the
 * destination that they test; neither delays other lanes.
 */
export type Lane = 'read' | 'write' | 'export' | 'trial'

/** Returns the most runs of a process at once: those that its workers execute, and those that wait for their destinations. */
export function runsMax(workers: number): number {
  return 2 * workers + 16
}

/** Returns the most `export` statements at once: each run writes its file and counts its rows. */
export function exportStatementsMax(workers: number): number {
  return 2 * runsMax(workers)
}

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

export type QueryProgress = {
  readRows: number
  totalRows: number
  writtenRows: number
  /** Bytes read and written locally or sent to a store, each counted at least once. */
  bytes: number
  cpuMicroseconds: number
  /** Requests to the store that failed or had no response in time; ClickHouse may have repeated them. */
  failedRequests: number
  /** Uploads that the store was asked to complete. */
  completions: number
}

/** Columns of `QueryProgress`, to select from system.processes. */
export const progressColumns = `toUInt64(read_rows) readRows, toUInt64(total_rows_approx) totalRows,
  toUInt64(written_rows) writtenRows,
  read_bytes + ${['QueryRemoteWriteThrottlerBytes', 'WriteBufferFromS3Bytes', 'WriteBufferFromFileDescriptorWriteBytes'].map(profileEvent).join(' + ')} bytes,
  ${profileEvent('OSCPUVirtualTimeMicroseconds')} cpuMicroseconds, ${profileEvent('S3WriteRequestsErrors')} failedRequests,
  ${profileEvent('S3CompleteMultipartUpload')} completions`

function profileEvent(name: string): string {
  return `ProfileEvents['${name}']`
}

/** Formats of the engine in which rows are streamed. */
export type StreamFormat = 'TabSeparated' | 'CSV' | 'LineAsString' | 'Parquet'

/** The analytics engine, embedded or at a URL. Errors are ClickHouseError of @clickhouse/client, with code and type. */
export type Warehouse = {
  embedded: boolean
  /** Returns how often a write has begun or ended; null if other processes may write. */
  writes(): number | null
  /** Returns the rows of a SELECT; 64-bit integers as numbers, dates as text in UTC. */
  query<T extends Row>(sql: string, options?: StatementOptions): Promise<T[]>
  /** Passes the rows of a SELECT to `read` in a format, in chunks of any size; aborting the signal ends the statement. */
  stream(
    sql: string,
    options: StatementOptions & { format: StreamFormat; signal: AbortSignal },
    read: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void>
  /**
   * Makes tab-separated rows from elsewhere readable to the statements of `read`, which gets the text after FROM.
   * @param structure names and types of the columns: `c0 Nullable(String), c1 …`
   */
  received<Result>(
    structure: string,
    chunks: (write: (chunks: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>,
    read: (from: string) => Promise<Result>,
  ): Promise<Result>
  /** Runs a statement that returns no rows. */
  command(sql: string, options?: StatementOptions): Promise<void>
  /**
   * Inserts newline-separated JSON objects; resolves when they are durable. Columns that an object omits get their defaults. An
   * empty body inserts nothing.
   */
  insert(table: string, body: string): Promise<void>
  /** Returns the progress of the marked statement; null if no statement with that mark is running. */
  progress(mark: string): Promise<QueryProgress | null>
  /** Requests that the marked statement stop; the statement then fails with QUERY_WAS_CANCELLED. */
  kill(mark: string): Promise<void>
  close(): Promise<void>
}
