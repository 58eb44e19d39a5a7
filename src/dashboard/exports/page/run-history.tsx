import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useReducer } from 'react'
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
import { DataTable } from '../../ui/list/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { CursorPager } from '../../ui/list/pager.tsx'
import { SelectChip } from '../../ui/select-chip.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { counted } from '../../words/amount.ts'
import { runStatusInWords } from '../../words/run-status.ts'
import { RetryAllFailed } from './retry-all-failed.tsx'
import { useCancel, useRetryLater } from './run-actions.tsx'
import { runColumns, RunDeeds, SelectedRuns } from './run-columns.tsx'
import { statusesOf, type StatusChoice } from './run-filter.ts'

export type RunFilter = { cursor?: string | undefined; status: StatusChoice; backfill?: string | undefined }

type RunHistoryProps = {
  batchExport: BatchExport
  filter: RunFilter
  onFilter: (change: Partial<RunFilter>) => void
  onOpen: (runId: string) => void
}

/** An export's runs, newest first; several can be selected and retried. */
export function RunHistory({ batchExport, filter, onFilter, onOpen }: RunHistoryProps) {
  const { projectId, scopes } = useAccount()
  const { cursor, status, backfill } = filter
  const runs = useQuery(
    runsQuery(projectId, batchExport.id, { cursor, status: statusesOf(status), backfill }),
  )
  const rows = runs.data?.results
  const { selected, toggle, clear } = useRunSelection(rows ?? [])
  const onRetry = useRetryLater(batchExport.id)
  const onCancel = useCancel(batchExport.id)
  useHistoryKeys({ rows: rows ?? [], selected, toggle, clear, onRetry, onCancel })
  const deeds = useMemo(
    () => ({ onToggle: toggle, onOpen, onRetry, onCancel, scopes }),
    [toggle, onOpen, onRetry, onCancel, scopes],
  )
  const isFiltered = status !== 'any' || backfill !== undefined
  const showAll = () => onFilter({ status: 'any', backfill: undefined, cursor: undefined })
  return (
    <section aria-label="Runs">
      <HistoryBar
        batchExport={batchExport}
        filter={filter}
        onFilter={onFilter}
        selected={selected}
        onClear={clear}
      />
      <RunDeeds value={deeds}>
        <SelectedRuns value={selected}>
          <div className="[&_tr:has([type=checkbox]:checked)]:bg-selected">
            <DataTable
              caption="Runs, newest first"
              columns={runColumns}
              rows={rows}
              rowKey={(row) => row.id}
              outdated={runs.isPlaceholderData}
              error={runs.error}
              onRetry={() => void runs.refetch()}
              empty={
                <EmptyState title="No runs yet">
                  <p>
                    The first one starts when the current window has passed. A backfill exports earlier
                    windows.
                  </p>
                </EmptyState>
              }
              filteredEmpty={
                isFiltered ? (
                  <EmptyState title="No run is like this">
                    <Button onClick={showAll}>Show all runs</Button>
                  </EmptyState>
                ) : null
              }
            />
          </div>
        </SelectedRuns>
      </RunDeeds>
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

const choices = [
  ['any', 'any'],
  ['failed', 'failed or timed out'],
  ['running', 'in progress'],
  ...runStatuses.map((status) => [status, runStatusInWords(status).label] as const),
] as const

type HistoryBarProps = Omit<RunHistoryProps, 'onOpen'> & {
  selected: ReadonlyMap<string, BatchExportRun>
  onClear: () => void
}

function HistoryBar({ batchExport, filter, onFilter, selected, onClear }: HistoryBarProps) {
  const { scopes } = useAccount()
  const retry = useRetryLater(batchExport.id)
  const ended = [...selected.values()].filter((run) => !isRunInProgress(run.status))
  const [first] = selected.values()
  const reason = first && runCan.retry(ended[0] ?? first, scopes)
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
          One backfill’s runs ✕<span className="sr-only">: show all runs</span>
        </Button>
      )}
      <output className="ml-auto">{selected.size > 0 && `${counted(selected.size, 'run')} selected`}</output>
      {first ? (
        <>
          <Button
            look="primary"
            reason={reason ?? null}
            onClick={() => {
              retry(ended)
              onClear()
            }}
          >
            Retry {counted(ended.length, 'run')}
          </Button>
          <Button onClick={onClear}>Clear</Button>
        </>
      ) : (
        <RetryAllFailed batchExport={batchExport} />
      )}
    </div>
  )
}

type Selection = { selected: ReadonlyMap<string, BatchExportRun>; last: string | null }
type SelectionChange = { run: BatchExportRun; extend: boolean } | 'clear'

const nothing: Selection = { selected: new Map(), last: null }

/** Which runs are selected, on whatever page they stand. */
function useRunSelection(rows: readonly BatchExportRun[]) {
  const [{ selected }, change] = useReducer(
    (selection: Selection, action: SelectionChange) =>
      action === 'clear' ? nothing : toggled(rows, selection, action.run, action.extend),
    nothing,
  )
  const toggle = useCallback((run: BatchExportRun, extend: boolean) => change({ run, extend }), [])
  return { selected, toggle, clear: () => change('clear') }
}

function toggled(
  rows: readonly BatchExportRun[],
  { selected, last }: Selection,
  run: BatchExportRun,
  extend: boolean,
): Selection {
  const next = new Map(selected)
  const from = rows.findIndex(({ id }) => id === (last ?? run.id))
  const to = rows.findIndex(({ id }) => id === run.id)
  if (extend && from !== -1 && to !== -1)
    for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.set(row.id, row)
  else if (!next.delete(run.id)) next.set(run.id, run)
  return { selected: next, last: run.id }
}

type HistoryKeys = ReturnType<typeof useRunSelection> & {
  rows: readonly BatchExportRun[]
  onRetry: (runs: readonly BatchExportRun[]) => void
  onCancel: (run: BatchExportRun) => void
}

/** j and k move the focus along the runs; the other keys act on the run that has it. */
function useHistoryKeys({ rows, selected, toggle, clear, onRetry, onCancel }: HistoryKeys): void {
  const { scopes } = useAccount()
  const focused = () => rows.find(({ id }) => id === focusedRun())
  const act = (does: string, deed: (run: BatchExportRun) => void) => ({
    does,
    run: () => {
      const run = focused()
      if (run) deed(run)
    },
  })
  useKeys({
    j: { does: 'Next run', moves: true, run: () => focusRun(rows, 1) },
    k: { does: 'Previous run', moves: true, run: () => focusRun(rows, -1) },
    x: act('Select the run', (run) => toggle(run, false)),
    X: act('Select up to this run', (run) => toggle(run, true)),
    r: {
      does: 'Retry the run, or those selected',
      run: () => {
        const run = focused()
        const chosen = selected.size > 0 ? [...selected.values()] : run ? [run] : []
        const possible = chosen.filter((each) => runCan.retry(each, scopes) === null)
        if (possible.length > 0) onRetry(possible)
        clear()
      },
    },
    c: act('Cancel the run', (run) => {
      if (runCan.cancel(run, scopes) === null) onCancel(run)
    }),
    Escape: selected.size > 0 ? { does: 'Select no run', run: clear } : null,
  })
}

/** The run in whose row the focus is. */
function focusedRun(): string | undefined {
  return document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-run]')?.dataset['run']
}

function focusRun(rows: readonly BatchExportRun[], by: number): void {
  const at = rows.findIndex(({ id }) => id === focusedRun())
  const next = rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]
  if (next) document.querySelector<HTMLElement>(`[data-run="${CSS.escape(next.id)}"]`)?.focus()
}
