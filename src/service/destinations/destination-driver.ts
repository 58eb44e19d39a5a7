import type { TestStepName } from '../../contract/destinations/destination-test.ts'
import type { TextOf } from '../../contract/destinations/destination-kind.ts'
import { Compression, FileFormat } from '../../contract/destinations/destination.ts'
import type { FileConfig } from '../../contract/destinations/file.ts'
import type { Services } from '../services.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import type { ExplainedExport } from './explain-error.ts'
import type { FileStore, ObjectReader, Writing } from './file-store.ts'
import type { TableStore, TableText } from './table-store.ts'

/** How the service writes to, reads and tests one type of destination. */
export type DestinationDriver = {
  /** Of files: returns a text that is equal for exports to the same bucket or container, server, or the service's disk. */
  storeKey?(text: TextOf): string
  /**
   * Opens a destination.
   * @param config the complete one: the export's own, as the contract's `…Config` has it, that of its connection, as `…Connection`
   * has it, and the secrets of both
   * @throws ZodError when something is missing
   */
  open(config: unknown): OpenDestination
}

/** A destination with its secrets and defaults. */
export type OpenDestination = FileDestination | TableDestination | RequestDestination

type AnyDestination = {
  /**
   * Returns the URL of the destination; null on the service's disk. Its host must be pinned before a store or reader is opened.
   * @throws ExportError
   */
  url(): string | null
  /** How errors are explained: the rules, the names to insert, and the secrets to remove. */
  explained: Omit<ExplainedExport, 'hasQuery'>
  /** Returns the steps of a test that only this type of destination has. */
  steps(trial: Trial): Steps
  /** Whether an error shows that the store responded, by refusing a request. */
  isRefusal(error: unknown): boolean
}

export type FileDestination = AnyDestination &
  ReturnType<typeof layoutOf> & {
    holds: 'files'
    prefix: string
    openStore(
      io: Io,
      attempt: Pick<RunRow, 'id' | 'attempt' | 'project_id'>,
      writing: Writing,
    ): Promise<FileStore>
    openReader(io: Io, projectId: number): Promise<ObjectReader>
  }

export type TableDestination = AnyDestination & {
  holds: 'table'
  /** Whether rows of an earlier run of a window may stay, for a table that cannot tell windows apart. */
  appendsOnly: boolean
  text: TableText
  openTable(io: Io, signal: AbortSignal): Promise<TableStore>
}

/** A batch of rows to send. `body`: a JSON array. */
export type RowRequest = {
  /** By which the receiver recognises a repeated batch. */
  key: string
  body: Uint8Array
  /** Sent at this time (ms). */
  at: number
  signal: AbortSignal
}

export type RequestDestination = AnyDestination & {
  holds: 'requests'
  /** Most rows of a request. */
  batchRowsMax: number
  /** Sends a request; resolves when the receiver has acknowledged it. @throws RefusedRequest, or the error of the connection. */
  send(io: Io, request: RowRequest): Promise<void>
}

/**
 * The only way out of the service for a destination: folders of the data directory, or the addresses of a pinned host, which have
 * been checked. Sockets and HTTP agents take `hosts.lookup`; a client that resolves names itself is given `hosts.addressesOf`.
 */
export type Io = Pick<Services, 'hosts' | 'exportsFolder'> & {
  config: Pick<Services['config'], 'dataDirectory'>
}

/** Steps return their result as text, and throw errors that `explainError` explains. */
export type Steps = Partial<Record<TestStepName, () => Promise<string>>>

export type Trial = Io &
  Pick<Services, 'clock'> & {
    /** Key of the file, or name of the table, that the test writes last. */
    key: string
    signal: AbortSignal
    /** Pins the host until the test ends; the first step that connects calls it. */
    pin(): Promise<void>
    /** Runs `close` when the test ends. */
    atEnd(close: () => unknown): void
  }

/** Returns the values of the fields that all destinations of files have. */
export function layoutOf(config: Omit<FileConfig, 'path'>) {
  return {
    format: FileFormat.parse(config.file_format ?? 'JSONLines'),
    compression: Compression.nullable().parse(config.compression ?? null),
    /** Whether an export of recordings also writes their blocks. */
    includesBlocks: config.include_blocks === true,
    fileBytesMax: config.max_file_size_mb ? config.max_file_size_mb * 1024 * 1024 : null,
  }
}
