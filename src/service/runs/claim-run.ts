import { sql, type RawBuilder } from 'kysely'
import type { Services } from '../services.ts'
import { anyBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { rowsOf, type StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { changeRuns, endRunsInProgress } from '../store/runs/write-runs.ts'
import { updateRows } from '../store/schema/rows.ts'
import { finishRun } from './finish-run.ts'
import { logRun } from './export-log.ts'

export type ClaimedRun = {
  run: RunRow
  exportRow: BatchExportRow
  /** The attempt of a dead worker from which the run was taken over, and whose statements may still be running. */
  takenOver: RunRow | null
}

/** Time (ms) without a heartbeat after which a worker is considered dead. */
const heartbeatTimeoutMs = 15_000
/** Attempts after which a run fails if its worker dies every time. */
const claimsMax = 25

/**
 * Claims a run for this worker if the run waits for a worker, its next attempt is due, or its worker is dead. Returns
 * null if the run cannot be claimed or has used up its attempts.
 */
export async function claimRun(
  services: Services,
  workerId: string,
  runId: string,
): Promise<ClaimedRun | null> {
  const now = services.clock.now()
  return await services.store.transaction().execute(async (transaction) => {
    const [waiting] = await rowsOf<RunRow>(transaction)`
      SELECT * FROM batch_export_runs WHERE id = ${runId} AND ${isClaimable(now)} FOR UPDATE SKIP LOCKED`
    if (!waiting) return null
    const exportRow = await anyBatchExport(transaction, waiting.batch_export_id)
    if (exportRow.deleted_at) {
      await endRunsInProgress(transaction, 'Terminated', new Date(now), sql`id = ${runId}`)
      return null
    }
    if (waiting.attempt >= claimsMax) {
      const message = `Gave up after ${waiting.attempt} attempts, all of them interrupted.`
      await finishRun(services, transaction, waiting, { status: 'Failed', latest_error: message })
      return null
    }
    const run = await claim(transaction, waiting, workerId, new Date(now))
    return { run, exportRow, takenOver: waiting.status === 'Running' ? waiting : null }
  })
}

/** Returns a condition: at this time (ms), a run waits for a worker, its next attempt is due, or its worker is dead. */
export function isClaimable(now: number): RawBuilder<boolean> {
  return sql`(status = 'Starting'
    OR status = 'FailedRetryable' AND coalesce(next_attempt_at, '-infinity') <= ${new Date(now)}::timestamptz
    OR status = 'Running' AND coalesce(heartbeat_at, '-infinity') < ${new Date(now - heartbeatTimeoutMs)}::timestamptz)`
}

async function claim(transaction: StoreTransaction, waiting: RunRow, workerId: string, now: Date) {
  const attempt = waiting.attempt + 1
  const started = {
    status: 'Running',
    attempt,
    worker_id: workerId,
    heartbeat_at: now,
    started_at: now,
    next_attempt_at: null,
    records_completed: 0,
    last_updated_at: now,
  } as const
  const [run = waiting] = await changeRuns(transaction, started, sql`id = ${waiting.id}`)
  if (waiting.backfill_id !== null)
    await updateRows(
      transaction,
      'batch_export_backfills',
      { id: waiting.backfill_id, status: 'Starting' },
      { status: 'Running', last_updated_at: now },
    )
  if (waiting.status === 'Running') {
    const since = waiting.heartbeat_at?.getTime()
      ? waiting.heartbeat_at.toISOString()
      : 'the service was restarted'
    const message = `Taken over: the worker of attempt ${waiting.attempt} has sent no heartbeat since ${since}.`
    await logRun(transaction, run, message, now, 'WARNING')
  }
  await logRun(transaction, run, `Attempt ${attempt} started.`, now)
  return run
}
