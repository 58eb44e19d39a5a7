import type { ConnectionStepName } from '../../contract/destinations/connection-test.ts'
import type { TextOf } from '../../contract/destinations/destination-kind.ts'
import { Compression, FileFormat } from '../../contract/destinations/destination.ts'
import type { FileConfig } from '../../contract/destinations/file.ts'
import type { Services } from '../services.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import type { ExplainedExport } from './explain-error.ts'
import type { CountStatement, FileStore, ObjectReader, RunStatement } from './file-store.ts'

/** How the service writes to, reads and tests one type of destination. */
export type DestinationDriver = {
  /** Returns a text that is equal for exports to the same bucket, or to the service's disk. */
  storeKey(text: TextOf): string
  /** Opens a destination with its secrets. @throws ZodError when it is incomplete. */
  open(config: unknown): OpenDestination
}

/** A destination with its secrets and defaults. */
export type OpenDestination = ReturnType<typeof layoutOf> & {
  prefix: string
  /**
   * Returns the URL of the files; null on the service's disk. Its host must be pinned before a store or reader is opened.
   * @throws ExportError
   */
  url(): string | null
  /** How errors are explained: the rules, the names to insert, and the secrets to remove. */
  explained: Omit<ExplainedExport, 'hasQuery'>
  /** Returns the steps of a connection test that precede writing a file. */
  steps(trial: Trial): Steps
  openStore(
    services: StoreServices,
    attempt: Pick<RunRow, 'id' | 'attempt' | 'project_id'>,
    run: RunStatement,
    count: CountStatement,
  ): Promise<FileStore>
  openReader(services: StoreServices, projectId: number): Promise<ObjectReader>
  /** Whether an error shows that the store responded, by refusing a request. */
  isRefusal(error: unknown): boolean
}

/** What reaches a store: the exports folder, or the addresses of a pinned host. */
export type StoreServices = Pick<Services, 'hosts' | 'exportsFolder'>

/** Steps return their result as text, and throw errors that `explainError` explains. */
export type Steps = Partial<Record<ConnectionStepName, () => Promise<string>>>

export type Trial = StoreServices & {
  /** Key of the file that the test writes last. */
  key: string
  signal: AbortSignal
  /** Pins the host until the test ends; the first step that connects calls it. */
  pin(): Promise<void>
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
