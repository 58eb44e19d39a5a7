import { useCallback } from 'react'
import { isRunInProgress, runCan, type BatchExportRun } from '../../../contract/batch-export-run.ts'
import { useAccount } from '../../account.ts'
import { useCancelRun, useRetryRuns } from '../../queries/runs.ts'
import { Button } from '../../ui/button.tsx'
import { sendSeveralLater, useWaiting } from '../../ui/feedback/send-later.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { counted } from '../../words/amount.ts'

/** Retries a finished run; while the run is in progress, cancels it. */
export function RetryButton({ run }: { run: BatchExportRun }) {
  const { scopes } = useAccount()
  const retry = useRetryLater(run.batch_export)
  const cancel = useCancel(run.batch_export)
  return <RowRetryButton run={run} look="plain" scopes={scopes} onRetry={retry} onCancel={cancel} />
}

type RowRetryButtonProps = {
  run: BatchExportRun
  look: 'quiet' | 'plain'
  scopes: readonly string[]
  onRetry: (runs: readonly BatchExportRun[]) => void
  onCancel: (run: BatchExportRun) => void
}

/** The `RetryButton` of a table row; rows share their callbacks. */
export function RowRetryButton({ run, look, scopes, onRetry, onCancel }: RowRetryButtonProps) {
  const waiting = useWaiting(run.id)
  if (isRunInProgress(run.status))
    return (
      <Button look={look} reason={runCan.cancel(run, scopes)} onClick={() => onCancel(run)}>
        Cancel
      </Button>
    )
  return (
    <Button
      look={look}
      reason={waiting ? 'The run is about to be retried.' : runCan.retry(run, scopes)}
      onClick={() => onRetry([run])}
    >
      {waiting ? 'Retrying…' : 'Retry'}
    </Button>
  )
}

/** Returns a function that retries runs after six seconds unless undone. */
export function useRetryLater(batchExportId: string): (runs: readonly BatchExportRun[]) => void {
  const { projectId } = useAccount()
  const retryRuns = useRetryRuns({ projectId, batchExportId })
  return useCallback(
    (runs) => {
      const ids = runs.map(({ id }) => id)
      const what = runs.length === 1 ? 'the run' : counted(runs.length, 'run')
      sendSeveralLater(ids, {
        verb: 'retry',
        on: ids,
        label: `Retrying ${what}`,
        failed: () => `Could not retry ${what}.`,
        done: runs.length === 1 ? 'A new run of the same window has started.' : `${what} retried.`,
        send: retryRuns,
      })
    },
    [retryRuns],
  )
}

/** Returns a function that cancels a run at once and reports the result. */
export function useCancel(batchExportId: string): (run: BatchExportRun) => void {
  const { projectId } = useAccount()
  const { mutate } = useCancelRun({ projectId, batchExportId })
  return useCallback(
    (run) =>
      mutate(run.id, {
        onSuccess: () => toast('The run was cancelled.'),
        onError: toastFailure('The run could not be cancelled.'),
      }),
    [mutate],
  )
}
