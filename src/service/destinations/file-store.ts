import type { Readable } from 'node:stream'
import type { LedgerObject } from '../../contract/runs/ledger.ts'
import type { QuerySettings, Row, StreamFormat } from '../engines/clickhouse/clickhouse.ts'
import type { FileContent, Parts } from './file-content.ts'
import type { partPlaceholder } from './file-key.ts'

type Statement<Result> = (sql: string, options: { params: Row; settings: QuerySettings }) => Promise<Result>

/** Runs a statement of the export under its mark, on a connection reserved for long statements. */
export type RunStatement = Statement<void>

/** Counts rows, of a file for example, by the statement after FROM. */
export type CountStatement = Statement<number>

/** Passes the rows of a SELECT of the export to `read`, with an engine on another machine, which cannot write files here. */
export type StreamStatement = (
  sql: string,
  options: { params: Row; settings: QuerySettings; format: StreamFormat },
  read: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
) => Promise<void>

/** How a store that sends files is stopped, and how its progress is watched. */
export type Upload = {
  signal: AbortSignal
  /** Sends files while the destination has to accept bytes, or the attempt ends. */
  during<T>(send: () => Promise<T>): Promise<T>
  /** Called when the destination has accepted bytes. */
  onSent(bytes: number): void
}

/** What a store needs of an attempt to write its files. */
export type Writing = {
  run: RunStatement
  count: CountStatement
  /** Null for the embedded engine. */
  stream: StreamStatement | null
  upload: Upload
}

/** Returns the key of a part, of all parts of a statement (placeholder), or of an unsplit file (null). */
export type KeyOf = (part: number | typeof partPlaceholder | null) => string

export type WrittenFile = { key: string; bytes: number }

/** A file under its key. */
export type PublishedFile = WrittenFile & {
  /** See `LedgerObject`: the SHA-256 of a file, or the ETag of an object in a bucket. */
  checksum: string
}

/** A complete file under a temporary name of its attempt, to be published under its key. */
export type StagedFile = WrittenFile & {
  temporary: string
  /** Rows counted in the file; null if the engine has compared the file's size with the bytes it sent. */
  rows: number | null
  /** Null if the store computes the checksum when the file is published. */
  checksum: string | null
}

/**
 * Content that is not final yet: a store may write `guess` ahead, but must write again if `settled` resolves to
 * different content. Null means that there are no rows.
 */
export type Draft = { guess: FileContent; settled: Promise<FileContent | null> }

/**
 * Storage of a destination's files. A file is first written under a temporary name, so that only a complete, checked file
 * of the current attempt replaces an earlier one.
 */
export type FileStore = {
  /** Writes one file for the key of `part`; returns null when the draft has no rows. */
  stageWhole(keyOf: KeyOf, part: number | null, draft: Draft): Promise<StagedFile | null>
  /** Writes a file for each of these parts that has rows. */
  stageParts(keyOf: KeyOf, parts: Parts, content: FileContent): Promise<StagedFile[]>
  /** Sends files that are to be published, if the store keeps them on the service's disk until then. */
  send?(files: readonly StagedFile[]): Promise<void>
  /** Moves a file to its key, replacing an earlier one; returns its checksum. */
  publish(file: StagedFile): Promise<string>
  /** Writes a file under its key at once, but not before it is complete. */
  writeStream(key: string, content: Readable, signal: AbortSignal): Promise<PublishedFile>
  readText(key: string): Promise<string | null>
  /** Returns the checksum of the file. */
  writeText(key: string, text: string): Promise<string>
  /** Removes files; a missing file is not an error. */
  remove(keys: readonly string[]): Promise<void>
  /** Removes the remaining temporary files; returns the names of those that could not be removed. */
  close(): Promise<readonly string[]>
}

/** `checksum` is comparable with that of the ledger; `sha256` is null if only the store's own ETag was read. */
export type FoundObject = { bytes: number; checksum: string; sha256: string | null }

/** Reads the objects of a destination; close it after use. */
export type ObjectReader = {
  /** Reads an object and returns its size and checksums; null if it does not exist. @throws when the destination does not say. */
  find(object: LedgerObject, signal: AbortSignal): Promise<FoundObject | null>
  /** Calls `read` with the table function that reads an object, and its first arguments. */
  read<Result>(key: string, read: (place: ReadPlace) => Promise<Result>): Promise<Result>
  close(): void
}

export type ReadPlace = {
  tableFunction: 'file' | 's3'
  arguments: string
  params: Row
  settings: QuerySettings
}
