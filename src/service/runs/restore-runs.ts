import { sql } from 'kysely'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { changeRuns } from '../store/runs/write-runs.ts'
import { logRuns } from './export-log.ts'

/** The runs that a request has ended, and the time. */
type Ended = { status: 'Cancelled' | 'Terminated'; at: Date } & (
  | { runId: string }
  | { batchExportId: string }
)

/** Lets the runs that a request has ended start over, and reopens their backfills; resolves to the number of runs. */
export async function restoreRuns(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  ended: Ended,
): Promise<number> {
  const now = new Date(clock.now())
  const condition =
    'runId' in ended
      ? sql`id = ${ended.runId} AND finished_at = ${ended.at}`
      : // A run created during the deletion ends later, when a worker claims it.
        sql`batch_export_id = ${ended.batchExportId} AND finished_at >= ${ended.at}`
  const waiting = {
    status: 'Starting',
    finished_at: null,
    cancel_requested_at: null,
    worker_id: null,
    heartbeat_at: null,
    next_attempt_at: null,
    records_completed: 0,
    last_updated_at: now,
  } as const
  const rows = await changeRuns(transaction, waiting, sql`status = ${ended.status} AND ${condition}`)
  const backfills = [...new Set(rows.map((run) => run.backfill_id).filter((id) => id !== null))]
  await sql`UPDATE batch_export_backfills SET status = 'Running', finished_at = NULL, last_updated_at = ${now}
    WHERE id = ANY (${backfills}::uuid[])`.execute(transaction)
  const undone = ended.status === 'Cancelled' ? 'cancellation' : 'termination'
  await logRuns(transaction, rows, `Queued again: the ${undone} was undone.`, now)
  return rows.length
}
