import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { count } from '../../format/amount.ts'
import { runProgress } from '../../format/export-state.ts'
import { runStatusInWords } from '../../format/run-status.ts'
import { runOutlastsInWords, runTimeLeft, timeLeftInWords, type PastRun } from '../../format/time-left.ts'
import { useRecentWindows } from '../grid/use-period.ts'

/** Shows a run's progress, speed and remaining time; nothing after it has ended. */
export function RunProgress({ run }: { run: BatchExportRun }) {
  if (!isRunInProgress(run.status)) return null
  if (run.status !== 'Running')
    return <span className="text-ink-3">{runStatusInWords(run.status).explanation}</span>
  // Each attempt measures its speed from its own start.
  return <Writing key={run.attempt} run={run} />
}

function Writing({ run }: { run: BatchExportRun }) {
  const { projectId } = useAccount()
  const { records_completed: records, records_total_count: total, last_updated_at: updatedAt } = run
  const { data: batchExport } = useQuery(batchExportQuery(projectId, run.batch_export))
  const at = Date.parse(updatedAt)
  const [first] = useState({ records, at })
  const perSecond = at > first.at ? ((records - first.records) / (at - first.at)) * 1000 : 0
  const facts = [
    total !== null && `of ${count(total)}`,
    perSecond > 0 && `${count(Math.round(perSecond))} rows/s`,
  ].filter((fact) => fact !== false)
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Progress share={runProgress(run)} label="Rows written" />
      <span className="text-xs text-ink-3">{facts.join(', ')}</span>
      {batchExport && total !== null && total > records && (
        <Remaining run={run} batchExport={batchExport} speed={{ left: total - records, perSecond }} />
      )}
    </span>
  )
}

type RemainingProps = {
  run: BatchExportRun
  batchExport: BatchExport
  speed: { left: number; perSecond: number }
}

/** Shows how long a run still takes, and warns if the next window ends before. */
function Remaining({ run, batchExport, speed }: RemainingProps) {
  const left = runTimeLeft(speed, usePastRuns(batchExport))
  if (left === null) return null
  const warning = runOutlastsInWords(run, batchExport.interval, left.to)
  return (
    <>
      <span className="text-xs text-ink-3">{timeLeftInWords(left)}</span>
      {warning && <span className="text-xs text-fail-ink">{warning}.</span>}
    </>
  )
}

/** Newest runs that are compared. */
const pastMax = 50

/** Returns the newest completed runs of an export; the page's facts are computed from the same response. */
export function usePastRuns(
  batchExport: Pick<BatchExport, 'id' | 'interval' | 'team_id'>,
): readonly PastRun[] {
  const { windows = [] } = useRecentWindows(batchExport)
  return windows
    .flatMap(({ state, run }) =>
      state === 'completed' && run?.duration ? [{ duration: run.duration, records: run.records }] : [],
    )
    .slice(-pastMax)
}
