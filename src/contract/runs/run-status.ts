import { scopeReason } from '../accounts/scopes.ts'

// Without schemas, because the first page needs these names and rules.
export const runStatuses = [
  'Cancelled',
  'Completed',
  'ContinuedAsNew',
  'Failed',
  'FailedRetryable',
  'Terminated',
  'TimedOut',
  'Running',
  'Starting',
] as const
type RunStatus = (typeof runStatuses)[number]

/** Why an action is not possible, for the button's tooltip and the service's error; null when the action is possible. */
export type Reason = string | null

/** Statuses of a run that waits for a worker, is running, or waits for its next attempt. */
export const statusesInProgress: readonly RunStatus[] = ['Starting', 'Running', 'FailedRetryable']

export function isRunInProgress(status: RunStatus): boolean {
  return statusesInProgress.includes(status)
}

/** Reasons why a run's status or the key's scopes rule out an action. */
export const runCan = {
  retry: ({ status }: { status: RunStatus }, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (isRunInProgress(status)
      ? `Cannot retry a run that is in '${status}' status: cancel it or wait until it has finished.`
      : null),
  cancel: ({ status }: { status: RunStatus }, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (isRunInProgress(status) ? null : `Cannot cancel a run that is in '${status}' status`),
}

export const backfillCan = {
  cancel: ({ status }: { status: string }, granted: readonly string[]): Reason =>
    writeReason(granted) ??
    (status === 'Starting' || status === 'Running'
      ? null
      : `Cannot cancel a backfill that is in '${status}' status`),
}

export function writeReason(granted: readonly string[]): Reason {
  return scopeReason(granted, 'batch_export:write')
}
