import type { QuerySettings, Row } from '../engines/clickhouse.ts'
import type { FileContent, Parts } from './file-content.ts'
import type { partPlaceholder } from './file-key.ts'

/** Runs one statement of the export: marked, on a connection set aside for long statements. */
export type RunStatement = (sql: string, options: { params: Row; settings: QuerySettings }) => Promise<void>

/** The key of a part, of all parts of a statement, or (null) of a file that is not split. */
export type KeyOf = (part: number | typeof partPlaceholder | null) => string

/** A part of null is the whole, unsplit file. */
export type WrittenFile = { key: string; bytes: number }

/**
 * A file's content while it is not sure yet: what is written ahead, out of sight, of `guess` has to be written anew when
 * `settled` resolves to another content. null: there are no rows.
 */
export type Draft = { guess: FileContent; settled: Promise<FileContent | null> }

/** Where a destination keeps its files. Files appear under their key whole, or not at all. */
export type FileStore = {
  /** Writes one file, under the key of `part`; null when the draft turns out to have no rows. */
  writeWhole(keyOf: KeyOf, part: number | null, draft: Draft): Promise<WrittenFile | null>
  /** Writes a file for each of these parts; one without rows has none. */
  writeParts(keyOf: KeyOf, parts: Parts, content: FileContent): Promise<WrittenFile[]>
  readText(key: string): Promise<string | null>
  writeText(key: string, text: string): Promise<void>
  /** What is not there counts as removed. */
  remove(keys: readonly string[]): Promise<void>
  close(): Promise<void>
}
