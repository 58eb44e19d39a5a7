import { useCallback } from 'react'
import { isRunInProgress, type BatchExportRun } from '../../contract/batch-export-run.ts'
import { Progress } from '../ui/progress.tsx'
import { useOfNow } from '../ui/use-of-now.ts'
import { count } from '../words/amount.ts'
import { runProgress, runTimeLeft } from '../words/export-state.ts'
import { runStatusInWords } from '../words/run-status.ts'
import { duration } from '../words/time.ts'

/** How far a run is and about how long it still takes; nothing once it has ended. */
export function RunProgress({ run }: { run: BatchExportRun }) {
  const left = useOfNow(
    useCallback(
      (now: number) => {
        const ms = runTimeLeft(run, now)
        return ms === null ? null : duration(ms)
      },
      [run],
    ),
  )
  if (!isRunInProgress(run.status)) return null
  if (run.status !== 'Running')
    return <span className="text-ink-3">{runStatusInWords(run.status).explanation}</span>
  return (
    <span className="inline-flex items-center gap-2">
      <Progress share={runProgress(run)} label="Rows written" />
      <span className="text-xs text-ink-3">
        {run.records_total_count !== null && `of ${count(run.records_total_count)}`}
        {left !== null && `, about ${left} left`}
      </span>
    </span>
  )
}
