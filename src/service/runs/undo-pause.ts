import { sql } from 'kysely'
import type { Services } from '../services.ts'
import { updateBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { findRow, updateRows } from '../store/schema/rows.ts'
import { recordPause } from './export-log.ts'

type Undo = {
  services: Pick<Services, 'clock'>
  transaction: StoreTransaction
  /** The locked row. */
  row: BatchExportRow
  /** Label of the key that started the action. */
  actor: string
}

/** When an export was unpaused, and what its columns had contained. */
type Unpaused = {
  unpausedAt: Date
  pausedBecause: string | null
  pauseReason: string | null
  pausedUntil: Date | null
}

/**
 * Undoes a pause: the schedule continues where it stopped, so the windows of the pause are exported. Returns false if the
 * export has since been unpaused or paused again.
 */
export async function undoPause(
  { services, transaction, row, actor }: Undo,
  { pausedAt, lastPausedAt }: { pausedAt: Date; lastPausedAt: Date | null },
): Promise<boolean> {
  if (!row.paused || row.last_paused_at?.getTime() !== pausedAt.getTime()) return false
  const now = new Date(services.clock.now())
  await updateBatchExport(transaction, row, {
    paused: false,
    last_paused_at: lastPausedAt,
    last_updated_at: now,
  })
  await sql`DELETE FROM batch_export_pauses
    WHERE batch_export_id = ${row.id} AND started_at = ${pausedAt}`.execute(transaction)
  const message = 'Unpaused: the pause was undone.'
  await recordPause(transaction, row.id, { paused: false, actor, at: now, message })
  return true
}

/**
 * Undoes an unpause: the earlier pause continues, and runs created meanwhile stay. Returns false if the export has since
 * been paused again.
 */
export async function undoUnpause(
  { services, transaction, row, actor }: Undo,
  { unpausedAt, pausedBecause, pauseReason, pausedUntil }: Unpaused,
): Promise<boolean> {
  const now = new Date(services.clock.now())
  const newest = sql`ORDER BY started_at DESC LIMIT 1`
  const pause = await findRow(transaction, 'batch_export_pauses', { batch_export_id: row.id }, newest)
  if (row.paused || pause?.ended_at?.getTime() !== unpausedAt.getTime()) return false
  await updateBatchExport(transaction, row, {
    paused: true,
    paused_because: pausedBecause,
    pause_reason: pauseReason,
    paused_until: pausedUntil,
    last_updated_at: now,
  })
  // The trigger has recorded a new pause, unless it began at the same time as the earlier one.
  await sql`DELETE FROM batch_export_pauses
    WHERE batch_export_id = ${row.id}
      AND started_at = ${now} AND started_at <> ${pause.started_at}`.execute(transaction)
  const earlier = { batch_export_id: row.id, started_at: pause.started_at }
  await updateRows(transaction, 'batch_export_pauses', earlier, { ended_at: null })
  const message = 'Paused again: the unpause was undone.'
  await recordPause(transaction, row.id, { paused: true, actor, at: now, message })
  return true
}
