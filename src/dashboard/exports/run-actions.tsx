import { isRunInProgress, runCan, type BatchExportRun } from '../../contract/batch-export-run.ts'
import { useAccount } from '../account.ts'
import { useCancelRun, useRetryRuns } from '../queries/runs.ts'
import { Button } from '../ui/button.tsx'
import { sendLater, useWaiting } from '../ui/send-later.ts'
import { toast, toastFailure } from '../ui/toasts.ts'
import { counted } from '../words/amount.ts'

/** Retry for a run that has finished, Cancel for one that has not. */
export function RunActions({ run, look = 'quiet' }: { run: BatchExportRun; look?: 'quiet' | 'plain' }) {
  const { scopes } = useAccount()
  const waiting = useWaiting(run.id)
  const retry = useRetryLater(run.batch_export)
  const { cancel, cancelling } = useCancel(run.batch_export)
  if (isRunInProgress(run.status))
    return (
      <Button look={look} busy={cancelling} reason={runCan.cancel(run, scopes)} onClick={() => cancel(run)}>
        Cancel
      </Button>
    )
  return (
    <Button
      look={look}
      reason={waiting ? 'It is about to be retried.' : runCan.retry(run, scopes)}
      onClick={() => retry([run])}
    >
      {waiting ? 'Retrying…' : 'Retry'}
    </Button>
  )
}

/** Runs the windows of runs again, in six seconds unless it is undone. */
export function useRetryLater(batchExportId: string): (runs: readonly BatchExportRun[]) => void {
  const { projectId } = useAccount()
  const { mutateAsync } = useRetryRuns({ projectId, batchExportId })
  return (runs) => {
    const left = runs.map(({ id }) => id)
    const what = runs.length === 1 ? 'the run' : counted(runs.length, 'run')
    sendLater({
      verb: 'retry',
      on: [...left],
      label: `Retrying ${what}.`,
      failed: `Could not retry ${what}.`,
      done: runs.length === 1 ? 'A new run of the same window has been started.' : `${what} retried.`,
      send: () => mutateAsync(left),
    })
  }
}

/** Cancels a run at once and tells of it. */
export function useCancel(batchExportId: string) {
  const { projectId } = useAccount()
  const { mutate, isPending } = useCancelRun({ projectId, batchExportId })
  const cancel = (run: BatchExportRun) =>
    mutate(run.id, {
      onSuccess: () => toast('The run is cancelled.'),
      onError: toastFailure('The run could not be cancelled.'),
    })
  return { cancel, cancelling: isPending }
}
