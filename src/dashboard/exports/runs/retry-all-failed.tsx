import { useQueryClient } from '@tanstack/react-query'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { useFailingSince, useRecentWindows } from '../grid/use-period.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { Button } from '../../ui/controls/button.tsx'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { sendLater, useWaiting } from '../../ui/feedback/send-action.ts'
import { count } from '../../format/amount.ts'

/** Retries all failed windows, on all pages of the history; of a failing export, the note above does. */
export function RetryAllFailed({ batchExport }: { batchExport: BatchExport }) {
  const { amount, reason, start } = useRetryAllFailed(batchExport)
  usePaletteActions([{ id: 'export retry all', label: 'Retry all failed windows', reason, run: start }])
  const since = useFailingSince(batchExport)
  if (batchExport.paused_because === null && typeof since === 'number') return null
  return (
    <Button reason={reason} onClick={start}>
      Retry all failed{amount && ` (${amount})`}
    </Button>
  )
}

/** Returns the failed windows of the last weeks, oldest first, their `amount` if these are all, and how to retry all failed ones. */
export function useRetryAllFailed(batchExport: BatchExport) {
  const { projectId, scopes } = useAccount()
  const { id, name } = batchExport
  const waiting = useWaiting(id)
  const client = useQueryClient()
  const { windows = [] } = useRecentWindows(batchExport)
  const failed = windows.filter(({ state }) => state === 'failed')
  // There may be more failed windows before the known period.
  const isAll = windows[0]?.state === 'before'
  const start = () =>
    sendLater({
      verb: 'retry',
      on: [id],
      label: `Retrying all failed windows of ${name}`,
      failed: `The failed windows of ${name} could not be retried.`,
      send: () =>
        startBulkAction(client, projectId, { action: 'export_windows', ids: [id], windows: 'failed' }),
    })
  return {
    failed,
    amount: failed.length > 0 && isAll ? count(failed.length) : '',
    reason: writeReason(scopes) ?? reasonOf(failed.length, isAll, waiting),
    start,
  }
}

function reasonOf(failed: number, isAll: boolean, waiting: string | null): string | null {
  if (waiting === 'retry') return 'The failed windows are about to be retried.'
  return failed === 0 && isAll ? 'All failed windows have been exported since.' : null
}
