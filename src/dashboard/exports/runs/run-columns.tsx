import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress, runCan, writeReason } from '../../../contract/runs/run-status.ts'
import type { runActions as bulkRunActions } from '../../../contract/bulk-action.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { actionsColumn, type ListColumn } from '../../ui/list/list-column.ts'
import { Status } from '../../ui/status.tsx'
import { Elapsed, RelativeTime, WindowTime } from '../../ui/time.tsx'
import { count } from '../../format/amount.ts'
import { runStatusInWords } from '../../format/run-status.ts'
import { RetryButton } from './retry-button.tsx'
import { RunErrorLine } from './run-error.tsx'
import { RunProgress } from './run-progress.tsx'

export type RunContext = {
  /** Opens one run with its logs. */
  onOpen: (id: string) => void
  onRetry: (runs: readonly BatchExportRun[]) => void
  onCancel: (run: BatchExportRun) => void
  /** Retries or cancels these runs, or all that match the filter, in a bulk action. */
  onBulk: (action: (typeof bulkRunActions)[number], runs: readonly BatchExportRun[] | 'all') => void
}

export const runActions = {
  open: {
    label: 'Open',
    keyLabel: 'Open the run',
    keys: ['Enter'],
    single: true,
    perform: ([run], { onOpen }) => run && onOpen(run.id),
  },
  retry: {
    label: 'Retry',
    keyLabel: 'Retry the run or the selection',
    keys: ['r'],
    clearsSelection: true,
    reason: runCan.retry,
    perform: (runs, { onRetry }) => onRetry(runs),
    performAll: ({ onBulk }) => onBulk('export_windows', 'all'),
    reasonOfKey: writeReason,
  },
  cancel: {
    label: 'Cancel',
    keyLabel: 'Cancel the run or the selection',
    keys: ['c'],
    clearsSelection: true,
    reason: runCan.cancel,
    perform: (runs, { onCancel, onBulk }) => {
      const [run] = runs
      if (runs.length === 1 && run) onCancel(run)
      else onBulk('cancel_runs', runs)
    },
    performAll: ({ onBulk }) => onBulk('cancel_runs', 'all'),
    reasonOfKey: writeReason,
  },
} satisfies Record<string, ListAction<BatchExportRun, RunContext>>

/** In a narrow window, the details of a run are below its other cells; all rows share the widths of the columns. */
export const runTableClass =
  'max-md:grid max-md:grid-cols-[auto_auto_1fr_auto_auto] max-md:[&_:is(thead,tbody,tr)]:col-span-full max-md:[&_:is(thead,tbody,tr)]:grid max-md:[&_:is(thead,tbody,tr)]:grid-cols-subgrid max-md:[&_:is(td,th)]:border-b-0 max-md:[&_:is(th,tr)]:h-auto! max-md:[&_tr]:min-h-10 max-md:[&_tr]:items-center max-md:[&_tr]:border-b max-md:[&_tr]:border-line'

/** The columns of the run history. */
export const runColumns: readonly ListColumn<BatchExportRun, RunContext, never>[] = [
  {
    header: 'Status',
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
    cellClassName: 'whitespace-nowrap max-sm:py-1.5 max-sm:whitespace-normal',
    cell: (run, { perform }) => (
      <button
        type="button"
        onClick={() => perform(runActions.open, [run])}
        className="text-left hover:underline"
      >
        <WindowTime start={run.data_interval_start} end={run.data_interval_end} />
      </button>
    ),
  },
  {
    header: 'Created',
    className: 'whitespace-nowrap max-md:hidden',
    cell: (run) => <RelativeTime time={run.created_at} />,
  },
  {
    header: 'Rows',
    end: true,
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
    className: 'w-full max-md:sr-only',
    cellClassName:
      'max-w-0 py-1.5 whitespace-normal max-md:col-[2/-1] max-md:max-w-none max-md:pt-0 max-md:empty:hidden',
    cell: (run) => hasDetails(run) && <Details run={run} />,
  },
  {
    ...actionsColumn,
    cellClassName: 'whitespace-nowrap max-md:col-start-5 max-md:row-start-1',
    cell: (run, { perform }) => (
      <RetryButton
        run={run}
        look="quiet"
        onRetry={() => perform({ ...runActions.retry, clearsSelection: false }, [run])}
        onCancel={() => perform({ ...runActions.cancel, clearsSelection: false }, [run])}
      />
    ),
  },
]

function hasDetails({ status, latest_error: error, attempt, backfill }: BatchExportRun): boolean {
  return isRunInProgress(status) || error !== null || attempt > 1 || backfill !== null
}

/** Shows a run's progress, error and number of attempts, and whether the schedule did not create it. */
function Details({ run }: { run: BatchExportRun }) {
  return (
    <>
      <RunProgress run={run} /> {run.latest_error && <RunErrorLine error={run.latest_error} />}
      <span className="text-ink-3">
        {run.attempt > 1 && ` Attempt ${run.attempt}.`}
        {run.backfill !== null && ' Not scheduled.'}
      </span>
    </>
  )
}
