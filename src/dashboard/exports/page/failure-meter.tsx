import { useQuery } from '@tanstack/react-query'
import { automaticPause, type BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { runsQuery } from '../../queries/exports/runs.ts'
import { counted } from '../../format/amount.ts'
import { hasFailed } from '../../format/export-state.ts'
import { failuresTowardsPause } from './coverage-facts.ts'
import { useFailingSince } from './export-status.tsx'

/** Shows how many failures count towards the automatic pause, unless there are none or the export is paused. */
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
