import { sql } from 'kysely'
import type { StoreTransaction } from '../store/schema/database.ts'

/** Ends a backfill if none of its runs is in progress any more. Call after a run has ended. */
export async function endBackfillIfDone(transaction: StoreTransaction, backfillId: string | null, now: Date) {
  if (backfillId === null) return
  await lockBackfill(transaction, backfillId)
  await sql`
    UPDATE batch_export_backfills backfill SET finished_at = ${now}::timestamptz, last_updated_at = ${now}::timestamptz, status = (
      SELECT CASE WHEN bool_or(status NOT IN ('Completed', 'Cancelled', 'ContinuedAsNew')) THEN 'Failed'
        WHEN bool_or(status = 'Cancelled') THEN 'Cancelled' ELSE 'Completed' END
      FROM batch_export_runs WHERE backfill_id = backfill.id)
    WHERE id = ${backfillId} AND status IN ('Starting', 'Running') AND NOT EXISTS (
      SELECT FROM batch_export_runs
      WHERE backfill_id = backfill.id AND status IN ('Starting', 'Running', 'FailedRetryable'))`.execute(
    transaction,
  )
}

/** If two runs of a backfill end at the same time, makes one wait until it sees both as ended. */
export async function lockBackfill(transaction: StoreTransaction, backfillId: string): Promise<void> {
  await sql`SELECT FROM batch_export_backfills WHERE id = ${backfillId} FOR NO KEY UPDATE`.execute(
    transaction,
  )
}
