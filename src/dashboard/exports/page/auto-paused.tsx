import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Button } from '../../ui/controls/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { AlertNote } from './alert-note.tsx'
import { FailedWindows } from './failing-note.tsx'
import { RunError } from '../runs/run-error.tsx'
import { useNewestError } from './use-newest-error.ts'

type AutoPausedProps = {
  batchExport: BatchExport
  /** Why the export cannot be unpaused. */
  reason: string | null
  onUnpause: () => void
}

/** Shows why an export was paused automatically, with the newest error and a button to unpause. */
export function AutoPaused({ batchExport, reason, onUnpause }: AutoPausedProps) {
  const { paused_because: because, last_paused_at: pausedAt } = batchExport
  const error = useNewestError(batchExport)
  return (
    <AlertNote
      label="Automatic pause"
      action={
        <Button look="primary" reason={reason} onClick={onUnpause}>
          Unpause
        </Button>
      }
    >
      <p>
        <strong className="font-semibold">
          Paused automatically {pausedAt && <RelativeTime time={pausedAt} />}.
        </strong>{' '}
        {because} Fix the cause, then unpause the export. A backfill exports the windows of the pause.
      </p>
      {error && <RunError error={error} />}
      <FailedWindows batchExport={batchExport} />
    </AlertNote>
  )
}
