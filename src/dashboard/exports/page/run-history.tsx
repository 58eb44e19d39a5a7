import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import {
  isRunInProgress,
  runCan,
  runStatuses,
  type BatchExportRun,
} from '../../../contract/batch-export-run.ts'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { useAccount } from '../../account.ts'
import { runsQuery } from '../../queries/runs.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { possibleFor, type ListAction } from '../../ui/list/list-action.ts'
import { ListNotes, NoMatches } from '../../ui/list/list-notes.tsx'
import { ListTable } from '../../ui/list/list-table.tsx'
import { CursorPager } from '../../ui/list/pager.tsx'
import { TableSkeleton } from '../../ui/list/table-skeleton.tsx'
import { useList, type List, type ListDescription } from '../../ui/list/use-list.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { SelectChip } from '../../ui/select-chip.tsx'
import { counted } from '../../words/amount.ts'
import { runStatusInWords } from '../../words/run-status.ts'
import { RetryAllFailed } from './retry-all-failed.tsx'
import { useCancel, useRetryLater } from './retry-button.tsx'
import { runColumns, RunHistoryContext, type RunContext } from './run-columns.tsx'
import { statusesOf, type StatusChoice } from './run-filter.ts'

export type RunFilter = { cursor?: string | undefined; status: StatusChoice; backfill?: string | undefined }

type RunHistoryProps = {
  batchExport: BatchExport
  filter: RunFilter
  onFilter: (change: Partial<RunFilter>) => void
  onOpen: (runId: string) => void
}

/** Shows an export's runs, newest first; several can be selected and retried. */
export function RunHistory({ batchExport, filter, onFilter, onOpen }: RunHistoryProps) {
  const { projectId, scopes } = useAccount()
  const { cursor, status, backfill } = filter
  const runs = useQuery(
    runsQuery(projectId, batchExport.id, { cursor, status: statusesOf(status), backfill }),
  )
  // Rendering a page of many rows takes a while; the deferred value keeps the current page responsive meanwhile.
  const rows = useDeferredValue(runs.data?.results)
  const onRetry = useRetryLater(batchExport.id)
  const onCancel = useCancel(batchExport.id)
  const context = useMemo(() => ({ onOpen, onRetry, onCancel, scopes }), [onOpen, onRetry, onCancel, scopes])
  const list = useList({
    description: runList,
    context,
    scopes,
    rows: rows ?? noRuns,
    all: useVisitedRuns(rows),
  })
  useListKeys(list)
  const isFiltered = status !== 'any' || backfill !== undefined
  const showAll = () => onFilter({ status: 'any', backfill: undefined, cursor: undefined })
  return (
    <section aria-label="Runs">
      <HistoryBar batchExport={batchExport} filter={filter} onFilter={onFilter} list={list} />
      <div className="flex flex-col gap-3">
        <ListNotes
          count={rows?.length}
          error={runs.error}
          onRetry={() => void runs.refetch()}
          empty={
            <EmptyState title="No runs yet">
              <p>The first run starts when the current window ends. A backfill exports earlier windows.</p>
            </EmptyState>
          }
          loading={<TableSkeleton />}
          filteredEmpty={
            isFiltered ? <NoMatches title="No runs match" clear="Show all runs" onClear={showAll} /> : null
          }
        >
          <RunHistoryContext value={context}>
            <ListTable list={list} outdated={runs.isPlaceholderData} />
          </RunHistoryContext>
        </ListNotes>
      </div>
      {runs.data && (
        <CursorPager
          newer={runs.data.previous}
          older={runs.data.next}
          onChange={(next) => onFilter({ cursor: next })}
        />
      )}
    </section>
  )
}

const noRuns: readonly BatchExportRun[] = []

const runActions = {
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
  },
  cancel: {
    label: 'Cancel',
    keyLabel: 'Cancel the run',
    keys: ['c'],
    single: true,
    reason: runCan.cancel,
    perform: ([run], { onCancel }) => run && onCancel(run),
  },
} satisfies Record<string, ListAction<BatchExportRun, RunContext>>

const runList: ListDescription<BatchExportRun, RunContext> = {
  caption: 'Runs, newest first',
  noun: 'run',
  noRowReason: 'Move to a run first, with j or k.',
  named: (runs) =>
    runs[0] && runs.length === 1 ? `the run created at ${runs[0].created_at}` : counted(runs.length, 'run'),
  actions: runActions,
  paletteId: 'runs',
  columns: runColumns,
  rowHeight: 40,
  renderAllMax: Infinity,
  isEmbedded: true,
  fitsContent: true,
}

/** Returns the runs of all visited pages, as last fetched, since a selection may span pages. */
function useVisitedRuns(rows: readonly BatchExportRun[] = noRuns): readonly BatchExportRun[] {
  const [visited, setVisited] = useState({ page: noRuns, runs: noRuns })
  if (visited.page === rows) return visited.runs
  const runs = [...new Map([...visited.runs, ...rows].map((run) => [run.id, run])).values()]
  setVisited({ page: rows, runs })
  return runs
}

const choices = [
  ['any', 'any'],
  ['failed', 'failed or timed out'],
  ['running', 'in progress'],
  ...runStatuses.map((status) => [status, runStatusInWords(status).label] as const),
] as const

type HistoryBarProps = Omit<RunHistoryProps, 'onOpen'> & { list: List<BatchExportRun, RunContext> }

function HistoryBar({ batchExport, filter, onFilter, list }: HistoryBarProps) {
  const { selected, clear, perform, scopes } = list
  const finished = selected.filter((run) => !isRunInProgress(run.status))
  return (
    <div className="mb-2 flex min-h-8 flex-wrap items-center gap-2 print:hidden">
      <SelectChip
        label="Status"
        value={filter.status}
        choices={choices}
        onChange={(status) => onFilter({ status, cursor: undefined })}
      />
      {filter.backfill !== undefined && (
        <Button look="quiet" onClick={() => onFilter({ backfill: undefined, cursor: undefined })}>
          Runs of one backfill ✕<span className="sr-only">: show all runs</span>
        </Button>
      )}
      <output className="ml-auto">
        {selected.length > 0 && `${counted(selected.length, 'run')} selected`}
      </output>
      {selected.length > 0 ? (
        <>
          <Button
            look="primary"
            reason={possibleFor(runActions.retry, selected, scopes).reason}
            onClick={() => perform(runActions.retry, selected)}
          >
            Retry {counted(finished.length, 'run')}
          </Button>
          <Button onClick={clear}>Clear</Button>
        </>
      ) : (
        <RetryAllFailed batchExport={batchExport} />
      )}
    </div>
  )
}
