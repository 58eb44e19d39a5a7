import type { BatchExportRun } from '../../contract/batch-export-run.ts'
import type { Column } from '../ui/data-table.tsx'
import { Status } from '../ui/status.tsx'
import { Elapsed, WindowTime } from '../ui/time.tsx'
import { count } from '../words/amount.ts'
import { runStatusInWords } from '../words/run-status.ts'
import { RunActions } from './run-actions.tsx'
import { RunErrorLine } from './run-error.tsx'
import { RunProgress } from './run-progress.tsx'

/** The run history, column by column; `open` shows one run with its logs. */
export function runColumns(open: (id: string) => void): Column<BatchExportRun>[] {
  return [
    {
      header: 'Status',
      cell: ({ status }) => {
        const { label, tone, explanation } = runStatusInWords(status)
        return (
          <Status tone={tone} title={explanation}>
            {label}
          </Status>
        )
      },
    },
    {
      header: 'Window',
      wraps: true,
      cell: (run) => (
        <button type="button" onClick={() => open(run.id)} className="text-left hover:underline">
          <WindowTime start={run.data_interval_start} end={run.data_interval_end} />
        </button>
      ),
    },
    { header: 'Rows', end: true, cell: (run) => count(run.records_completed) },
    {
      header: 'Took',
      end: true,
      hiddenBelow: 'sm',
      cell: (run) => <Elapsed from={run.created_at} until={run.finished_at} />,
    },
    { header: 'Attempt', end: true, hiddenBelow: 'md', cell: (run) => run.attempt || '–' },
    {
      header: 'What happened',
      grows: true,
      hiddenBelow: 'sm',
      cell: (run) => (
        <>
          <RunProgress run={run} /> {run.latest_error && <RunErrorLine error={run.latest_error} />}
        </>
      ),
    },
    { header: 'Actions', silent: true, end: true, cell: (run) => <RunActions run={run} /> },
  ]
}
