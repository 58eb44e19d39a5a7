import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ShortTime, WindowTime, RelativeTime } from '../../ui/time.tsx'
import { AlertNote } from './alert-note.tsx'
import { FailureMeter } from './failure-meter.tsx'
import { useRetryAllFailed } from '../runs/retry-all-failed.tsx'
import { RunError } from '../runs/run-error.tsx'
import { useFailingSince } from './use-failing-since.ts'
import { useNewestError } from './use-newest-error.ts'

/** Shows why an export fails, which windows failed, and a button that retries them; nothing for one that does not fail. */
export function FailingNote({ batchExport }: { batchExport: BatchExport }) {
  const since = useFailingSince(batchExport)
  return typeof since === 'number' && <Failing batchExport={batchExport} since={since} />
}

function Failing({ batchExport, since }: { batchExport: BatchExport; since: number }) {
  const { amount, reason, start } = useRetryAllFailed(batchExport)
  const error = useNewestError(batchExport)
  return (
    <AlertNote
      label="Failure"
      action={
        <Button look="primary" reason={reason} onClick={start}>
          {amount === '1' ? 'Retry this window' : `Retry ${amount} windows`}
        </Button>
      }
    >
      <p className="font-semibold">
        Failing since <ShortTime time={since} />.
      </p>
      {error && <RunError error={error} />}
      <FailedWindows batchExport={batchExport} />
      <FailureMeter batchExport={batchExport} />
    </AlertNote>
  )
}

/** Says which windows failed and have not been exported since. */
export function FailedWindows({ batchExport }: { batchExport: BatchExport }) {
  const { failed, amount } = useRetryAllFailed(batchExport)
  const [first, last] = [failed[0], failed.at(-1)]
  if (!first || !last) return null
  return (
    <p className="text-ink-2">
      {amount === '1' ? '1 window failed' : `${amount} windows failed`}
      {failed.length > 1 && ', between'} <WindowTime start={first.start} end={last.end} />.
    </p>
  )
}

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
