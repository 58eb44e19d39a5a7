import { useQuery } from '@tanstack/react-query'
import { automaticPause, type BatchExport } from '../../../contract/exports/batch-export.ts'
import { Status } from '../../ui/status.tsx'
import { RelativeTime, ShortTime } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { counted, percent } from '../../format/amount.ts'
import { exportState, exportTones, hasFailed, nextRunAt, runProgress } from '../../format/export-state.ts'
import { useAccount } from '../../account.ts'
import { runsQuery } from '../../queries/exports/runs.ts'
import { failuresTowardsPause } from './coverage-facts.ts'
import { useFailingSince } from '../grid/use-period.ts'

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

/** Shows how many failures count towards the automatic pause; nothing for a paused export, or one without failures. */
export function FailureMeter({ batchExport }: { batchExport: BatchExport }) {
  const { projectId } = useAccount()
  const { id, paused, latest_runs: latest, last_paused_at: pausedAt } = batchExport
  const isFailing = typeof useFailingSince(batchExport) === 'number'
  const { data: runs } = useQuery({
    ...runsQuery(projectId, id, { backfill: 'none' }),
    // Without a recent failure there is nothing to warn about.
    enabled: !paused && (isFailing || latest.some(({ status }) => hasFailed(status))),
  })
  const { failuresMax } = automaticPause
  const failures = runs && !paused ? Math.min(failuresMax, failuresTowardsPause(runs.results, pausedAt)) : 0
  if (failures === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-xs text-fail-ink">
      <span aria-hidden="true" className="flex gap-0.5">
        {Array.from({ length: failuresMax }, (_, index) => (
          <span
            key={index}
            className={`h-2.5 w-1.5 rounded-[1px] border border-fail ${index < failures ? 'bg-fail' : ''}`}
          />
        ))}
      </span>
      {`${counted(failures, 'scheduled run')} failed; paused automatically at ${failuresMax}`}
    </span>
  )
}
