import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { stripLength } from '../../../contract/exports/overview.ts'
import { failingSince } from '../../../contract/runs/failing-since.ts'
import { Status } from '../../ui/status.tsx'
import { RelativeTime, ShortTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { percent } from '../../format/amount.ts'
import { exportState, nextRunAt, runProgress, exportTones } from '../../format/export-state.ts'
import { useRecentWindows } from '../grid/use-period.ts'

/** Shows an export's state in a word or two. */
export function ExportStatus({ batchExport }: { batchExport: BatchExport }) {
  const failing = useFailingSince(batchExport)
  const state = useNow((now) => exportState(batchExport, typeof failing === 'number', now))
  if (failing === undefined) return null
  // A paused export still shows that it was failing.
  const since = state === 'failing' || state === 'paused' ? failing : null
  return (
    <Status tone={exportTones[state]}>
      <span>
        {state === 'waiting' ? 'waiting for its first run' : state}
        {state === 'running' && runningShare(batchExport)}
        {since !== null && (
          <span className="max-sm:hidden">
            {state === 'paused' && ' while failing'} since <ShortTime time={since} />
          </span>
        )}
      </span>
    </Status>
  )
}

function runningShare({ latest_runs: runs }: BatchExport): string {
  const running = runs.find((run) => run.status === 'Running')
  const share = running ? runProgress(running) : null
  return share === null ? '' : ` ${percent(share)}`
}

/** Shows when the next run starts, or why none is scheduled. */
export function NextRun({ batchExport }: { batchExport: BatchExport }) {
  const at = useNow((now) => nextRunAt(batchExport, now))
  if (at !== null) return <RelativeTime time={at} />
  return <span className="text-ink-3">{batchExport.paused ? 'paused' : 'none, the export has ended'}</span>
}

/**
 * Returns the start (ms) of the first window that failed since the last completed one, as the list of exports does: among the
 * windows of its strip. Null if none has failed since, undefined until that is known.
 */
export function useFailingSince(batchExport: Pick<BatchExport, 'id' | 'interval'>) {
  const { windows = [], isPending } = useRecentWindows(batchExport)
  if (isPending) return undefined
  // The current window comes after those of the strip.
  const recent = windows.slice(-stripLength - 1)
  return failingSince(
    recent,
    recent.map(({ state }) => state),
  )
}
