import type { QuerySettings, Row } from '../engines/clickhouse.ts'
import type { FileContent, Parts } from './file-content.ts'
import type { partPlaceholder } from './file-key.ts'

/** Runs a statement of the export under its mark, on a connection reserved for long statements. */
export type RunStatement = (sql: string, options: { params: Row; settings: QuerySettings }) => Promise<void>

/** Returns the key of a part, of all parts of a statement (placeholder), or of an unsplit file (null). */
export type KeyOf = (part: number | typeof partPlaceholder | null) => string

export type WrittenFile = { key: string; bytes: number }

/**
 * Content that is not final yet: a store may write `guess` ahead under a temporary name, but must write again if
 * `settled` resolves to different content. Null means that there are no rows.
 */
export type Draft = { guess: FileContent; settled: Promise<FileContent | null> }

/** Storage of a destination's files. A file appears under its key only when it is complete. */
export type FileStore = {
  /** Writes one file under the key of `part`; returns null when the draft has no rows. */
  writeWhole(keyOf: KeyOf, part: number | null, draft: Draft): Promise<WrittenFile | null>
  /** Writes a file for each of these parts that has rows. */
  writeParts(keyOf: KeyOf, parts: Parts, content: FileContent): Promise<WrittenFile[]>
  readText(key: string): Promise<string | null>
  writeText(key: string, text: string): Promise<void>
  /** Removes files; a missing file is not an error. */
  remove(keys: readonly string[]): Promise<void>
  close(): Promise<void>
}
