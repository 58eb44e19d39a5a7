import { createContext, use, type MouseEvent } from 'react'
import { isRunInProgress, type BatchExportRun } from '../../../contract/batch-export-run.ts'
import type { Column } from '../../ui/list/data-table.tsx'
import { Status } from '../../ui/status.tsx'
import { Elapsed, WindowTime } from '../../ui/time.tsx'
import { count } from '../../words/amount.ts'
import { runStatusInWords } from '../../words/run-status.ts'
import { RunButton } from './run-actions.tsx'
import { RunErrorLine } from './run-error.tsx'
import { RunProgress } from './run-progress.tsx'

type RunDeeds = {
  /** `extend`: everything from the run that was selected before up to this one. */
  onToggle: (run: BatchExportRun, extend: boolean) => void
  /** Shows one run with its logs. */
  onOpen: (id: string) => void
  onRetry: (runs: readonly BatchExportRun[]) => void
  onCancel: (run: BatchExportRun) => void
  scopes: readonly string[]
}

/** What the rows of a run history share: so the columns stay the same, and a row is drawn again only when its run changes. */
export const RunDeeds = createContext<RunDeeds>({
  onToggle: ignore,
  onOpen: ignore,
  onRetry: ignore,
  onCancel: ignore,
  scopes: [],
})

/** The selected runs by their id. */
export const SelectedRuns = createContext<ReadonlyMap<string, BatchExportRun>>(new Map())

/** The run history, column by column. */
export const runColumns: Column<BatchExportRun>[] = [
  { header: 'Selected', silent: true, cell: (run) => <SelectRun run={run} /> },
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
      <>
        <OpenRun run={run} />
        {hasStory(run) && (
          <span className="line-clamp-2 text-xs whitespace-normal md:hidden">
            <Story run={run} />
          </span>
        )}
      </>
    ),
  },
  { header: 'Rows', end: true, cell: (run) => count(run.records_completed) },
  {
    // From its creation on: the API does not say how long it waited for a worker.
    header: 'Wait and run',
    end: true,
    hiddenBelow: 'md',
    cell: (run) => <Elapsed from={run.created_at} until={run.finished_at} />,
  },
  {
    header: 'What happened',
    grows: true,
    hiddenBelow: 'md',
    cell: (run) => <Story run={run} />,
  },
  { header: 'Actions', silent: true, end: true, cell: (run) => <RowButton run={run} /> },
]

function hasStory({ status, latest_error: error, attempt }: BatchExportRun): boolean {
  return isRunInProgress(status) || error !== null || attempt > 1
}

/** How far it is, what went wrong, how often it was tried. */
function Story({ run }: { run: BatchExportRun }) {
  return (
    <>
      <RunProgress run={run} /> {run.latest_error && <RunErrorLine error={run.latest_error} />}
      {run.attempt > 1 && <span className="text-ink-3"> Attempt {run.attempt}.</span>}
    </>
  )
}

function SelectRun({ run }: { run: BatchExportRun }) {
  const { onToggle } = use(RunDeeds)
  const selected = use(SelectedRuns)
  return (
    <input
      type="checkbox"
      aria-label={`Select the run created at ${run.created_at}`}
      checked={selected.has(run.id)}
      // A click tells of the Shift key, a change does not.
      onClick={(event: MouseEvent) => onToggle(run, event.shiftKey)}
      onChange={ignore}
      className="block"
    />
  )
}

function OpenRun({ run }: { run: BatchExportRun }) {
  const { onOpen } = use(RunDeeds)
  return (
    <button
      type="button"
      data-run={run.id}
      onClick={() => onOpen(run.id)}
      className="text-left hover:underline"
    >
      <WindowTime start={run.data_interval_start} end={run.data_interval_end} />
    </button>
  )
}

function RowButton({ run }: { run: BatchExportRun }) {
  const { onRetry, onCancel, scopes } = use(RunDeeds)
  return <RunButton run={run} look="quiet" scopes={scopes} onRetry={onRetry} onCancel={onCancel} />
}

function ignore(): void {}
