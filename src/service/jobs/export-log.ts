import type { LogLevel } from '../../contract/log-entry.ts'
import type { Store } from '../store/database.ts'

export type LogLine = {
  batchExportId: string
  /** Null for a line about the export itself. */
  runId: string | null
  level: LogLevel
  message: string
  at: Date
}

const messageLengthMax = 4000

/** Writes lines to the log of an export or a run. In a transaction, a line becomes visible with the change it describes. */
export async function writeLog(store: Store, ...lines: readonly LogLine[]): Promise<void> {
  if (lines.length === 0) return
  const values = lines.map(({ batchExportId, runId, level, message, at }) => ({
    batch_export_id: batchExportId,
    run_id: runId,
    level,
    message: message.replaceAll('\0', '').slice(0, messageLengthMax),
    timestamp: at,
  }))
  await store.insertInto('batch_export_logs').values(values).execute()
}
