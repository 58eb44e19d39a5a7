import { sql } from 'kysely'
import type { LogLevel } from '../../contract/runs/log-entry.ts'
import type { Store } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'

export type LogLine = {
  batchExportId: string
  /** Null for a line about the export itself. */
  runId: string | null
  level: LogLevel
  message: string
  at: Date
}

const messageLengthMax = 4000

/** Adds a line to the log of an export. */
export async function logExport(
  store: Store,
  batchExportId: string,
  message: string,
  at: Date,
  level: LogLevel = 'INFO',
): Promise<void> {
  await writeLog(store, { batchExportId, runId: null, level, message, at })
}

/** Adds a line to the log of a run. */
export async function logRun(
  store: Store,
  { id: runId, batch_export_id: batchExportId }: Pick<RunRow, 'id' | 'batch_export_id'>,
  message: string,
  at: Date,
  level: LogLevel = 'INFO',
): Promise<void> {
  await writeLog(store, { batchExportId, runId, level, message, at })
}

/**
 * Writes lines to the log of an export or of runs: any number of lines in one statement. In a transaction, a line becomes
 * visible with the change it describes.
 */
export async function writeLog(store: Store, lines: LogLine | readonly LogLine[]): Promise<void> {
  const written = [lines].flat()
  if (written.length === 0) return
  const column = <Value>(value: (line: LogLine) => Value) => written.map(value)
  await sql`
    INSERT INTO batch_export_logs (batch_export_id, run_id, level, message, timestamp)
    SELECT * FROM unnest(${column((line) => line.batchExportId)}::uuid[], ${column((line) => line.runId)}::uuid[],
      ${column((line) => line.level)}::text[],
      ${column(({ message }) => message.replaceAll('\0', '').slice(0, messageLengthMax))}::text[],
      ${column((line) => line.at)}::timestamptz[])`.execute(store)
}
