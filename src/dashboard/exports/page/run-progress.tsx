import { useState } from 'react'
import { isRunInProgress, type BatchExportRun } from '../../../contract/batch-export-run.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { count } from '../../words/amount.ts'
import { runProgress } from '../../words/export-state.ts'
import { runStatusInWords } from '../../words/run-status.ts'
import { duration } from '../../words/time.ts'

/** Shows a run's progress, speed and remaining time; nothing after it has ended. */
export function RunProgress({ run }: { run: BatchExportRun }) {
  if (!isRunInProgress(run.status)) return null
  if (run.status !== 'Running')
    return <span className="text-ink-3">{runStatusInWords(run.status).explanation}</span>
  // Each attempt measures its speed from its own start.
  return <Writing key={run.attempt} run={run} />
}

function Writing({ run }: { run: BatchExportRun }) {
  const { records_completed: records, records_total_count: total, last_updated_at: updatedAt } = run
  const at = Date.parse(updatedAt)
  const [first] = useState({ records, at })
  const perSecond = at > first.at ? ((records - first.records) / (at - first.at)) * 1000 : 0
  const left = total !== null && perSecond > 0 ? ((total - records) / perSecond) * 1000 : null
  const facts = [
    total !== null && `of ${count(total)}`,
    perSecond > 0 && `${count(Math.round(perSecond))} rows/s`,
    left !== null && left > 0 && `about ${duration(left)} left`,
  ].filter((fact) => fact !== false)
  return (
    <span className="inline-flex items-center gap-2">
      <Progress share={runProgress(run)} label="Rows written" />
      <span className="text-xs text-ink-3">{facts.join(', ')}</span>
    </span>
  )
}
