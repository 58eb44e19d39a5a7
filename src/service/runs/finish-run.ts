import { failureCause } from '../../contract/runs/failure-cause.ts'
import { formatInstant } from '../../contract/instant.ts'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { endBackfillIfDone } from './end-runs.ts'
import { noteRun } from '../store/runs/integrations.ts'
import { logRun } from './export-log.ts'
import { destinationOf } from '../store/runs/failure-causes.ts'
import { endAttempt, storeFailureCause, type Attempt } from '../store/runs/write-runs.ts'
import { pauseIfFailing, stopBackfillIfFailing } from './repeated-failures.ts'

type RunEnd = {
  status: 'Completed' | 'Failed' | 'TimedOut'
} & Partial<
  Pick<RunRow, 'latest_error' | 'records_completed' | 'records_total_count' | 'bytes_exported' | 'files'>
>

/**
 * Ends a run, and its backfill if this was the last run; stops a schedule or backfill that keeps failing.
 * @returns false if the run no longer belongs to this attempt
 */
export async function finishRun(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  attempt: Attempt,
  end: RunEnd,
): Promise<boolean> {
  const now = new Date(clock.now())
  const run = await endAttempt(transaction, attempt, {
    ...end,
    latest_error: end.latest_error ?? null,
    finished_at: now,
    last_updated_at: now,
  })
  if (!run) return false
  if (end.status !== 'Completed') {
    const destination = await destinationOf(transaction, run.batch_export_id)
    await storeFailureCause(transaction, run.id, failureCause(end.latest_error ?? '', destination).key)
  }
  if (end.latest_error) {
    const message = `${end.status === 'TimedOut' ? 'Timed out' : 'Failed'}: ${end.latest_error}`
    await logRun(transaction, run, message, now, 'ERROR')
  }
  if (end.status === 'Failed') await pauseIfFailing(transaction, run, now)
  if (end.status !== 'Completed') await stopBackfillIfFailing(transaction, run.backfill_id, now)
  await endBackfillIfDone(transaction, run.backfill_id, now)
  // A run without rows may not have reached the destination.
  if (end.status !== 'Completed' || run.records_completed > 0)
    await noteRun(transaction, run.batch_export_id, { at: now, error: end.latest_error ?? null })
  return true
}

/** Schedules the next attempt of a run, unless the run no longer belongs to this attempt. */
export async function postponeRun(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  attempt: Attempt,
  reason: string,
  delaySeconds: number,
): Promise<void> {
  const now = clock.now()
  const next = new Date(now + delaySeconds * 1000)
  const run = await endAttempt(transaction, attempt, {
    status: 'FailedRetryable',
    latest_error: reason,
    next_attempt_at: next,
    worker_id: null,
    last_updated_at: new Date(now),
  })
  if (!run) return
  const message = `Attempt ${run.attempt} failed: ${reason} Next attempt at ${formatInstant(next)}.`
  await logRun(transaction, run, message, new Date(now), 'WARNING')
  await noteRun(transaction, run.batch_export_id, { at: new Date(now), error: reason })
}

/** Hands a run back without counting its attempt, so that another worker can start at once. */
export async function handBackRun(
  { clock }: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  attempt: Attempt,
): Promise<void> {
  const now = new Date(clock.now())
  const run = await endAttempt(transaction, attempt, {
    status: 'Starting',
    attempt: attempt.attempt - 1,
    worker_id: null,
    heartbeat_at: null,
    records_completed: 0,
    last_updated_at: now,
  })
  if (!run) return
  const message = 'Handed back because the service is stopping: the next worker starts over.'
  await logRun(transaction, run, message, now)
}
