import { isRunInProgress, runCan, type BatchExportRun } from '../../contract/batch-export-run.ts'
import { useAccount } from '../account.ts'
import { useCancelRun, useRetryRun } from '../queries/runs.ts'
import { Button } from '../ui/button.tsx'
import { toast, toastFailure } from '../ui/toasts.ts'

/** Retry for a run that has finished, Cancel for one that has not. */
export function RunActions({ run, look = 'quiet' }: { run: BatchExportRun; look?: 'quiet' | 'plain' }) {
  const { projectId, scopes } = useAccount()
  const of = { projectId, batchExportId: run.batch_export }
  const retry = useRetryRun(of)
  const cancel = useCancelRun(of)
  if (isRunInProgress(run.status))
    return (
      <Button
        look={look}
        busy={cancel.isPending}
        reason={runCan.cancel(run, scopes)}
        onClick={() =>
          cancel.mutate(run.id, {
            onSuccess: () => toast('The run is cancelled.'),
            onError: toastFailure('The run could not be cancelled.'),
          })
        }
      >
        Cancel
      </Button>
    )
  return (
    <Button
      look={look}
      busy={retry.isPending}
      reason={runCan.retry(run, scopes)}
      onClick={() =>
        retry.mutate(run.id, {
          onSuccess: () => toast('A new run of the same window has been started.'),
          onError: toastFailure('The run could not be retried.'),
        })
      }
    >
      Retry
    </Button>
  )
}
