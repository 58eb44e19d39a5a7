import { sql } from 'kysely'
import { automaticPause } from '../../contract/exports/batch-export.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { noteDays } from '../store/runs/day-changes.ts'
import { findRows } from '../store/schema/rows.ts'
import { endRunsInProgress } from '../store/runs/write-runs.ts'
import { lockBackfill } from './end-runs.ts'
import { logExport, recordPause } from './export-log.ts'

/** Consecutive failures after which a backfill stops. */
const backfillFailuresMax = 10

/**
 * Pauses an export whose scheduled run has failed, if many of its recent scheduled runs have failed. Retries and
 * backfills do not count, since users often run them to find the cause.
 */
export async function pauseIfFailing(transaction: StoreTransaction, run: RunRow, now: Date): Promise<void> {
  if (run.origin !== 'schedule') return
  const { failuresMax, recentRunsMax } = automaticPause
  // Failures before the last pause do not count: a user has since unpaused the export.
  const paused = await sql<{ because: string }>`
    UPDATE batch_exports SET paused = true, last_paused_at = ${now}::timestamptz, last_updated_at = ${now}::timestamptz,
      paused_because = format('%s of its last %s scheduled runs failed.', counted.failures, counted.runs)
    FROM (SELECT count(*) AS runs, count(*) FILTER (WHERE status = 'Failed') AS failures FROM (
      SELECT status FROM batch_export_runs WHERE batch_export_id = ${run.batch_export_id} AND origin = 'schedule'
        AND created_at > coalesce((SELECT last_paused_at FROM batch_exports WHERE id = ${run.batch_export_id}), '-infinity')
      ORDER BY created_at DESC, id DESC LIMIT ${recentRunsMax}) recent) counted
    WHERE id = ${run.batch_export_id} AND NOT paused AND counted.failures >= ${failuresMax}
    RETURNING paused_because AS because`.execute(transaction)
  const because = paused.rows[0]?.because
  if (because === undefined) return
  await noteDays(transaction, run.batch_export_id)
  const message = `Paused automatically: ${because} Fix the cause and unpause; a backfill exports the missed windows.`
  const pause = { paused: true, actor: null, at: now, message, level: 'ERROR' } as const
  await recordPause(transaction, run.batch_export_id, pause)
}

/** Cancels the waiting runs of a backfill whose newest runs have all failed; `endBackfillIfDone` then ends it as failed. */
export async function stopBackfillIfFailing(
  transaction: StoreTransaction,
  backfillId: string | null,
  now: Date,
): Promise<void> {
  if (backfillId === null) return
  await lockBackfill(transaction, backfillId)
  const ended = { backfill_id: backfillId, status: ['Completed', 'Failed', 'TimedOut'] as const }
  const newestFirst = sql`ORDER BY finished_at DESC LIMIT ${backfillFailuresMax}`
  const newest = await findRows(transaction, 'batch_export_runs', ended, newestFirst)
  if (newest.length < backfillFailuresMax || newest.some(({ status }) => status === 'Completed')) return
  const waiting = sql`backfill_id = ${backfillId} AND status <> 'Running'`
  const cancelled = await endRunsInProgress(transaction, 'Cancelled', now, waiting)
  const [first] = cancelled
  if (!first) return
  const message = `Backfill stopped: its last ${backfillFailuresMax} runs failed. ${cancelled.length.toLocaleString('en')} others were cancelled. Fix the cause, then repeat the backfill.`
  await logExport(transaction, first.batch_export_id, message, now, 'ERROR')
}
