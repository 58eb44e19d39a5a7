import { isRunInProgress, type BatchExportRun } from '../../contract/batch-export-run.ts'
import { usePreferences } from '../preferences.ts'
import { Strip, type Cell } from '../ui/strip.tsx'
import { count, counted } from '../words/amount.ts'
import { hasFailed } from '../words/export-state.ts'
import { runStatusInWords } from '../words/run-status.ts'
import { exactTime } from '../words/time.ts'

const places = 10

/** The latest runs (newest first, as the API lists them) as a strip that reads from left to right. */
export function RunStrip({ runs }: { runs: readonly BatchExportRun[] }) {
  const { zone } = usePreferences()
  const cells = runs.toReversed().map((run): Cell => {
    const words = `${runStatusInWords(run.status).label}, ${counted(run.records_completed, 'row')}`
    const end = exactTime(Date.parse(run.data_interval_end), zone)
    return { key: run.id, look: lookOf(run), title: `${words}, until ${end}` }
  })
  const failed = runs.filter((run) => hasFailed(run.status)).length
  const label =
    runs.length === 0
      ? 'No runs yet'
      : `Latest ${counted(runs.length, 'run')}: ${failed === 0 ? 'none failed' : `${count(failed)} failed`}`
  return <Strip cells={cells} length={places} label={label} />
}

function lookOf({ status }: BatchExportRun): Cell['look'] {
  if (isRunInProgress(status)) return 'running'
  if (hasFailed(status)) return 'failed'
  return status === 'Completed' ? 'done' : 'stopped'
}
