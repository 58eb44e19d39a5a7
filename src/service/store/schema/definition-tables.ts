import type { ColumnType } from 'kysely'

/** The settings of an export when it was last applied from a file. */
export type DefinitionsTable = {
  batch_export_id: string
  /** By the names that the history uses; without `paused` if the file does not set it. Written as JSON text. */
  settings: ColumnType<Record<string, unknown>, string, string>
  /** A token of each secret by name, which only shows whether the secret has changed. Written as JSON text. */
  secrets: ColumnType<Record<string, string>, string, string>
  actor: string
  source: string | null
  applied_at: Date
}
