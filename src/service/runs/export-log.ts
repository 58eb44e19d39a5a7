import { sql } from 'kysely'
import type { LogLevel } from '../../contract/runs/log-entry.ts'
import { insertChange } from '../store/runs/changes-list.ts'
import type { Store, StoreTransaction } from '../store/schema/database.ts'

const messageLengthMax = 4000

/** A run; without an id, its export itself. */
type Subject = { id: string | null; batch_export_id: string }

/** Adds a line to the log of an export. */
export async function logExport(
  store: Store,
  batchExportId: string,
  message: string,
  at: Date,
  level: LogLevel = 'INFO',
): Promise<void> {
  await logRuns(store, [{ id: null, batch_export_id: batchExportId }], message, at, level)
}

/** Adds a line to the log of a run. */
export async function logRun(
  store: Store,
  run: Subject,
  message: string,
  at: Date,
  level: LogLevel = 'INFO',
) {
  await logRuns(store, [run], message, at, level)
}

/**
 * Adds a line to the log of each of these runs, in one statement. In a transaction, a line becomes visible with the change
 * it describes.
 */
export async function logRuns(
  store: Store,
  runs: readonly Subject[],
  message: string,
  at: Date,
  level: LogLevel = 'INFO',
): Promise<void> {
  if (runs.length === 0) return
  const text = message.replaceAll('\0', '').slice(0, messageLengthMax)
  await sql`
    INSERT INTO batch_export_logs (batch_export_id, run_id, level, message, timestamp)
    SELECT batch_export_id, run_id, ${level}, ${text}, ${at}::timestamptz
    FROM unnest(${runs.map((run) => run.batch_export_id)}::uuid[], ${runs.map(({ id }) => id)}::uuid[])
      AS run (batch_export_id, run_id)`.execute(store)
}

type Pause = { paused: boolean; actor: string | null; at: Date; message: string; level?: LogLevel }

/** Records in the history and the log of an export that it was paused or unpaused. */
export async function recordPause(
  transaction: StoreTransaction,
  batchExportId: string,
  { paused, actor, at, message, level }: Pause,
): Promise<void> {
  const fields = [{ field: 'paused', before: !paused, after: paused, secret: false }]
  const kind = paused ? 'paused' : 'unpaused'
  await insertChange(transaction, { batchExportId, kind, actor, at, fields })
  await logExport(transaction, batchExportId, message, at, level)
}
