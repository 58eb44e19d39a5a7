import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isRunInProgress, runCan, runStatuses, type BatchExportRun } from '../../contract/batch-export-run.ts'
import type { BatchExport } from '../../contract/batch-export.ts'
import { useAccount } from '../account.ts'
import { runsQuery } from '../queries/runs.ts'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { CursorPager } from '../ui/pager.tsx'
import { SelectChip } from '../ui/select-chip.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { counted } from '../words/amount.ts'
import { runStatusInWords } from '../words/run-status.ts'
import { RetryAllFailed } from './retry-all-failed.tsx'
import { useCancel, useRetryLater } from './run-actions.tsx'
import { runColumns, RunTable } from './run-columns.tsx'
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
  const { projectId } = useAccount()
  const { cursor, status, backfill } = filter
  const runs = useQuery(
    runsQuery(projectId, batchExport.id, { cursor, status: statusesOf(status), backfill }),
  )
  const rows = runs.data?.results
  const { selected, toggle, clear } = useRunSelection(rows ?? [])
  useHistoryKeys({ batchExport, rows: rows ?? [], selected, toggle, clear })
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
      <RunTable value={{ selected, onToggle: toggle, onOpen }}>
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
                  The first one starts when the current window has passed. A backfill exports earlier windows.
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
      </RunTable>
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

/** Which runs are selected, on whatever page they stand. */
function useRunSelection(rows: readonly BatchExportRun[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, BatchExportRun>>(new Map())
  const [last, setLast] = useState<string | null>(null)
  const toggle = (run: BatchExportRun, extend: boolean) => {
    const next = new Map(selected)
    const [from, to] = [last ?? run.id, run.id].map((id) => rows.findIndex((row) => row.id === id))
    if (extend && from !== undefined && to !== undefined && from !== -1 && to !== -1)
      for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.set(row.id, row)
    else if (!next.delete(run.id)) next.set(run.id, run)
    setSelected(next)
    setLast(run.id)
  }
  return { selected, toggle, clear: () => setSelected(new Map()) }
}

type HistoryKeys = ReturnType<typeof useRunSelection> & {
  batchExport: BatchExport
  rows: readonly BatchExportRun[]
}

/** j and k move the focus along the runs; the other keys act on the run that has it. */
function useHistoryKeys({ batchExport, rows, selected, toggle, clear }: HistoryKeys): void {
  const { scopes } = useAccount()
  const retry = useRetryLater(batchExport.id)
  const { cancel } = useCancel(batchExport.id)
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
        if (possible.length > 0) retry(possible)
        clear()
      },
    },
    c: act('Cancel the run', (run) => {
      if (runCan.cancel(run, scopes) === null) cancel(run)
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
