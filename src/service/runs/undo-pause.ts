import { sql } from 'kysely'
import type { Services } from '../services.ts'
import { updateBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { insertChange } from '../store/runs/changes-list.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { logExport } from './export-log.ts'

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
  await transaction
    .deleteFrom('batch_export_pauses')
    .where('batch_export_id', '=', row.id)
    .where('started_at', '=', pausedAt)
    .execute()
  await record(transaction, row, { paused: false, actor, at: now })
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
  const pauses = await sql<{ started_at: Date; ended_at: Date | null }>`
    SELECT started_at, ended_at FROM batch_export_pauses WHERE batch_export_id = ${row.id}
    ORDER BY started_at DESC LIMIT 1`.execute(transaction)
  const [pause] = pauses.rows
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
    WHERE batch_export_id = ${row.id} AND started_at = ${now} AND started_at <> ${pause.started_at}`.execute(
    transaction,
  )
  await sql`UPDATE batch_export_pauses SET ended_at = NULL
    WHERE batch_export_id = ${row.id} AND started_at = ${pause.started_at}`.execute(transaction)
  await record(transaction, row, { paused: true, actor, at: now })
  return true
}

async function record(
  transaction: StoreTransaction,
  { id }: BatchExportRow,
  { paused, actor, at }: { paused: boolean; actor: string; at: Date },
): Promise<void> {
  await insertChange(transaction, {
    batchExportId: id,
    kind: paused ? 'paused' : 'unpaused',
    actor,
    at,
    fields: [{ field: 'paused', before: !paused, after: paused, secret: false }],
  })
  const message = paused ? 'Paused again: the unpause was undone.' : 'Unpaused: the pause was undone.'
  await logExport(transaction, id, message, at)
}
