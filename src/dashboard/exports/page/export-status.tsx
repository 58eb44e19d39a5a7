import { useCallback } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Status } from '../../ui/status.tsx'
import { RelativeTime, ShortTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { percent } from '../../format/amount.ts'
import {
  exportState,
  nextRunAt,
  runProgress,
  type ExportState,
  exportTones,
} from '../../format/export-state.ts'
import { useFailingSince } from './use-failing-since.ts'

/** Shows an export's state in a word or two. */
export function ExportStatus({ batchExport }: { batchExport: BatchExport }) {
  const failing = useFailingSince(batchExport)
  const state = useNow(
    useCallback(
      (now: number) => exportState(batchExport, typeof failing === 'number', now),
      [batchExport, failing],
    ),
  )
  if (failing === undefined) return null
  // A paused export still shows that it was failing.
  const since = state === 'failing' || state === 'paused' ? failing : null
  return (
    <Status tone={exportTones[state]}>
      <span>
        {state === 'running' ? `running${runningShare(batchExport)}` : stateInWords(state)}
        {since !== null && (
          <span className="max-sm:hidden">
            {state === 'paused' && ' while failing'} since <ShortTime time={since} />
          </span>
        )}
      </span>
    </Status>
  )
}

/** Returns a state in words that need no context. */
function stateInWords(state: ExportState): string {
  return state === 'waiting' ? 'waiting for its first run' : state
}

function runningShare({ latest_runs: runs }: BatchExport): string {
  const running = runs.find((run) => run.status === 'Running')
  const share = running ? runProgress(running) : null
  return share === null ? '' : ` ${percent(share)}`
}

/** Shows when the next run starts, or why none is scheduled. */
export function NextRun({ batchExport }: { batchExport: BatchExport }) {
  const at = useNow(useCallback((now: number) => nextRunAt(batchExport, now), [batchExport]))
  if (at !== null) return <RelativeTime time={at} />
  return <span className="text-ink-3">{batchExport.paused ? 'paused' : 'none, the export has ended'}</span>
}
