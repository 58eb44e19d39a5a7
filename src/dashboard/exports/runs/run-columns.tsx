import { createContext, use } from 'react'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import type { runActions } from '../../../contract/bulk-action.ts'
import type { ListColumn } from '../../ui/list/list-column.ts'
import { Status } from '../../ui/status.tsx'
import { Elapsed, WindowTime } from '../../ui/time.tsx'
import { count } from '../../format/amount.ts'
import { runStatusInWords } from '../../format/run-status.ts'
import { RowRetryButton } from './retry-button.tsx'
import { RunErrorLine } from './run-error.tsx'
import { RunProgress } from './run-progress.tsx'

export type RunContext = {
  /** Opens one run with its logs. */
  onOpen: (id: string) => void
  onRetry: (runs: readonly BatchExportRun[]) => void
  onCancel: (run: BatchExportRun) => void
  /** Retries or cancels these runs, or all that match the filter, in a bulk action. */
  onBulk: (action: (typeof runActions)[number], runs: readonly BatchExportRun[] | 'all') => void
  scopes: readonly string[]
}

/** Shared by all rows of a run history, so that a row is rendered again only when its run changes. */
export const RunHistoryContext = createContext<RunContext>({
  onOpen: ignore,
  onRetry: ignore,
  onCancel: ignore,
  onBulk: ignore,
  scopes: [],
})

/** The columns of the run history. */
export const runColumns: readonly ListColumn<BatchExportRun, RunContext, never>[] = [
  {
    header: 'Status',
    className: '',
    cellClassName: 'whitespace-nowrap',
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
    className: '',
    cellClassName: 'whitespace-nowrap max-sm:py-1.5 max-sm:whitespace-normal',
    cell: (run) => (
      <>
        <OpenRun run={run} />
        {hasDetails(run) && (
          <span className="block text-xs whitespace-normal md:hidden">
            <Details run={run} />
          </span>
        )}
      </>
    ),
  },
  {
    header: 'Rows',
    end: true,
    className: '',
    cellClassName: 'whitespace-nowrap',
    cell: (run) => count(run.records_completed),
  },
  {
    // Counted from the run's creation, since the API does not report how long it waited for a worker.
    header: 'Total time',
    end: true,
    className: 'whitespace-nowrap max-md:hidden',
    cellClassName: 'whitespace-nowrap',
    cell: (run) => <Elapsed from={run.created_at} until={run.finished_at} />,
  },
  {
    header: 'Details',
    className: 'w-full max-md:hidden',
    cellClassName: 'max-w-0 py-1.5 whitespace-normal',
    cell: (run) => <Details run={run} />,
  },
  {
    header: 'Actions',
    silent: true,
    end: true,
    className: '',
    cellClassName: 'whitespace-nowrap',
    cell: (run) => <RetryOrCancel run={run} />,
  },
]

function hasDetails({ status, latest_error: error, attempt }: BatchExportRun): boolean {
  return isRunInProgress(status) || error !== null || attempt > 1
}

/** Shows a run's progress, error and number of attempts. */
function Details({ run }: { run: BatchExportRun }) {
  return (
    <>
      <RunProgress run={run} /> {run.latest_error && <RunErrorLine error={run.latest_error} />}
      {run.attempt > 1 && <span className="text-ink-3"> Attempt {run.attempt}.</span>}
    </>
  )
}

function OpenRun({ run }: { run: BatchExportRun }) {
  const { onOpen } = use(RunHistoryContext)
  return (
    <button type="button" onClick={() => onOpen(run.id)} className="text-left hover:underline">
      <WindowTime start={run.data_interval_start} end={run.data_interval_end} />
    </button>
  )
}

function RetryOrCancel({ run }: { run: BatchExportRun }) {
  const { onRetry, onCancel, scopes } = use(RunHistoryContext)
  return <RowRetryButton run={run} look="quiet" scopes={scopes} onRetry={onRetry} onCancel={onCancel} />
}

function ignore(): void {}
