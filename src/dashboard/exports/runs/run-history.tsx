import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState, type ReactNode } from 'react'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress, runStatuses } from '../../../contract/runs/run-status.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { runsQuery } from '../../queries/exports/runs.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { reasonAgainst, reasonAgainstAll, type ListAction } from '../../ui/list/list-action.ts'
import { ListNotes, NoMatches, TableSkeleton } from '../../ui/list/list-notes.tsx'
import { ListTable } from '../../ui/list/list-table.tsx'
import { CursorPager } from '../../ui/list/pager.tsx'
import { useList, type List, type ListDescription } from '../../ui/list/use-list.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { counted } from '../../format/amount.ts'
import { preferences } from '../../format/preferences.ts'
import { runStatusInWords } from '../../format/run-status.ts'
import { windowInWords } from '../../format/time.ts'
import { RetryAllFailed } from './retry-all-failed.tsx'
import { useBulkRuns, useCancel, useRetry } from './retry-button.tsx'
import { runActions, runColumns, runTableClass, type RunContext } from './run-columns.tsx'
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
  const start = useBulkRuns(batchExport.id)
  const list = useList<BatchExportRun, RunContext>({
    description: runList,
    context: {
      onOpen,
      onRetry: useRetry(batchExport.id),
      onCancel: useCancel(batchExport.id),
      onBulk: (action, chosen) =>
        void start(action, chosen === 'all' ? { status: statusesOf(status), backfill } : chosen),
    },
    scopes,
    rows: rows ?? noRuns,
    all: useVisitedRuns(rows),
    filterKey: `${status} ${backfill}`,
    hasMore: Boolean(runs.data?.next ?? runs.data?.previous),
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
          <ListTable list={list} outdated={runs.isPlaceholderData} />
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

const runList: ListDescription<BatchExportRun, RunContext> = {
  caption: 'Runs, newest first',
  noun: 'run',
  named: (runs) =>
    runs[0] && runs.length === 1 ? `the run of ${windowOf(runs[0])}` : counted(runs.length, 'run'),
  actions: runActions,
  paletteId: 'runs',
  columns: runColumns,
  rowHeight: 40,
  renderAllMax: Infinity,
  isEmbedded: true,
  fitsContent: true,
  tableClassName: runTableClass,
}

function windowOf({ data_interval_start: start, data_interval_end: end }: BatchExportRun): string {
  const window = { start: Date.parse(start), end: Date.parse(end) }
  return windowInWords(window, preferences().zone, Date.now())
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
  const { selected, clear, allMatching, selectAllMatching } = list
  const running = selected.filter((run) => isRunInProgress(run.status)).length
  const runsOf = (amount: number) => (allMatching ? 'all that match' : counted(amount, 'run'))
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
        {allMatching
          ? 'All that match selected'
          : selected.length > 0 && `${counted(selected.length, 'run')} selected`}
      </output>
      {selected.length > 0 ? (
        <>
          {selectAllMatching && (
            <Button look="quiet" onClick={selectAllMatching}>
              Select all that match
            </Button>
          )}
          <BulkButton list={list} action={runActions.retry} look="primary">
            Retry {runsOf(selected.length - running)}
          </BulkButton>
          {(running > 0 || allMatching) && (
            <BulkButton list={list} action={runActions.cancel} look="plain">
              Cancel {runsOf(running)}
            </BulkButton>
          )}
          <Button onClick={clear}>Clear</Button>
        </>
      ) : (
        <RetryAllFailed batchExport={batchExport} />
      )}
    </div>
  )
}

type BulkButtonProps = {
  list: List<BatchExportRun, RunContext>
  action: ListAction<BatchExportRun, RunContext>
  look: 'primary' | 'plain'
  children: ReactNode
}

/** Performs an action on the selected runs, or on all that match. */
function BulkButton({ list, action, look, children }: BulkButtonProps) {
  const { selected, scopes, allMatching, perform, performAll } = list
  const reason = allMatching ? reasonAgainstAll(action, scopes) : reasonAgainst(action, selected, scopes)
  return (
    <Button
      look={look}
      reason={reason}
      onClick={() => (allMatching ? performAll(action) : perform(action, selected))}
    >
      {children}
    </Button>
  )
}
