import { useQueryClient } from '@tanstack/react-query'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress, runCan } from '../../../contract/runs/run-status.ts'
import type { runActions } from '../../../contract/bulk-action.ts'
import type { BodyInput } from '../../../contract/endpoints.ts'
import { useAccount } from '../../account.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { useChangeRun } from '../../queries/exports/runs.ts'
import { Button } from '../../ui/controls/button.tsx'
import { sendAction, sendLater, useWaiting } from '../../ui/feedback/send-action.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'

type RetryButtonProps = {
  run: BatchExportRun
  look: 'quiet' | 'plain'
  onRetry: () => void
  onCancel: () => void
}

/** Retries a finished run; while the run is in progress, cancels it. */
export function RetryButton({ run, look, onRetry, onCancel }: RetryButtonProps) {
  const { scopes } = useAccount()
  const waiting = useWaiting(run.id)
  if (isRunInProgress(run.status))
    return (
      <Button look={look} reason={runCan.cancel(run, scopes)} onClick={onCancel}>
        Cancel
      </Button>
    )
  return (
    <Button
      look={look}
      reason={waiting ? 'The run is about to be retried.' : runCan.retry(run, scopes)}
      onClick={onRetry}
    >
      {waiting ? 'Retrying…' : 'Retry'}
    </Button>
  )
}

/** Returns a function that retries one run after six seconds unless undone, or several in a bulk action. */
export function useRetry(batchExportId: string): (runs: readonly BatchExportRun[]) => void {
  const { projectId } = useAccount()
  const start = useBulkRuns(batchExportId)
  const { mutateAsync: retry } = useChangeRun('retryRun', { projectId, batchExportId })
  return (runs) => {
    const [run] = runs
    if (runs.length !== 1 || !run) return void start('export_windows', runs)
    return sendLater({
      verb: 'retry',
      on: [run.id],
      label: 'Retrying the run',
      failed: 'Could not retry the run.',
      done: 'A new run of the same window has started.',
      send: () => retry(run.id),
    })
  }
}

type Matching = Omit<
  Extract<BodyInput<'createBulkAction'>, { action: 'export_windows' | 'cancel_runs' }>['filter'] & {},
  'batch_export'
>

/** Returns a function that retries or cancels runs of an export in a bulk action: these, or all that match a filter. */
export function useBulkRuns(batchExportId: string) {
  const { projectId } = useAccount()
  const client = useQueryClient()
  return (action: (typeof runActions)[number], runs: readonly BatchExportRun[] | Matching): Promise<void> => {
    const objects = Array.isArray(runs)
      ? { ids: runs.map(({ id }: BatchExportRun) => id) }
      : { filter: { ...runs, batch_export: batchExportId } }
    return sendAction({
      failed: `The runs could not be ${action === 'cancel_runs' ? 'cancelled' : 'retried'}.`,
      send: () => startBulkAction(client, projectId, { action, ...objects }),
    })
  }
}

/** Returns a function that cancels a run at once and reports the result. */
export function useCancel(batchExportId: string): (run: BatchExportRun) => void {
  const { projectId } = useAccount()
  const { mutate } = useChangeRun('cancelRun', { projectId, batchExportId })
  return (run) =>
    mutate(run.id, {
      onSuccess: () => toast('The run was cancelled.'),
      onError: toastFailure('The run could not be cancelled.'),
    })
}
