import type { BackfillStatus, RunStatus } from '../../contract/runs/batch-export-run.ts'

export type Tone = 'ok' | 'failed' | 'running' | 'paused' | 'stopped' | 'quiet'

type StatusWords = { label: string; tone: Tone; explanation: string }

function words(label: string, tone: Tone, explanation: string): StatusWords {
  return { label, tone, explanation }
}

const statuses: Record<RunStatus, StatusWords> = {
  Starting: words('Starting', 'running', 'Waiting for a worker.'),
  Running: words('Running', 'running', 'Writing rows.'),
  FailedRetryable: words('Retrying', 'running', 'An attempt failed; the next one starts soon.'),
  Completed: words('Completed', 'ok', 'All rows are at the destination.'),
  Failed: words('Failed', 'failed', 'The run will not be retried automatically.'),
  TimedOut: words('Timed out', 'failed', 'The run exceeded its time limit.'),
  Cancelled: words('Cancelled', 'quiet', 'The run was cancelled by a user.'),
  Terminated: words('Terminated', 'quiet', 'The batch export was deleted during the run.'),
  ContinuedAsNew: words('Continued', 'quiet', 'A new run took over the rest.'),
}

/** Returns a run status's label and explanation. */
export function runStatusInWords(status: RunStatus): StatusWords {
  return statuses[status]
}

/** Backfills have some of the statuses of runs. */
export function backfillTone(status: BackfillStatus): Tone {
  return statuses[status].tone
}
