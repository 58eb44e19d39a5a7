import { lazy, Suspense, useDeferredValue, useMemo, useState, type ReactNode, type RefObject } from 'react'
import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { exportsOf, type Line } from './arrange.ts'
import { projectParameter } from './export-row.tsx'
import { ExportTable } from './export-table.tsx'
import { reportFailures, useFailureReport } from '../../ui/feedback/failure-report.ts'
import type { Sort } from './list-search.ts'
import { useRowSelection } from '../../ui/list/use-row-selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useAct } from './use-act.ts'
import { useListKeys } from './use-list-keys.ts'

const BackfillMany = lazy(() =>
  import('./backfill-many.tsx').then((module) => ({ default: module.BackfillMany })),
)
const FailuresDialog = lazy(() =>
  import('../../ui/feedback/failures-dialog.tsx').then((module) => ({ default: module.FailuresDialog })),
)

const noLines: readonly Line[] = []

type ExportListProps = {
  /** Every export, whatever the filters say. */
  rows: readonly ExportOverview[]
  /** What the filters leave of them. */
  lines: readonly Line[]
  at: string
  sort: Sort
  onSort: (sort: Sort) => void
  fieldRef: RefObject<HTMLInputElement | null>
  showsProjects: boolean
  /** Shown instead of the table when the filters leave nothing. */
  filteredEmpty: ReactNode
}

/** The table with its selection, its keys, and what they open. */
export function ExportList({ rows, fieldRef, filteredEmpty, ...rest }: ExportListProps) {
  const { projects } = useAccount()
  const [backfilling, setBackfilling] = useState<readonly ExportOverview[] | null>(null)
  const report = useFailureReport()
  // Typing and clicking go first, the rows follow piece by piece.
  const lines = useDeferredValue(rest.lines, noLines)
  const shown = useMemo(() => exportsOf(lines), [lines])
  const shownIds = useMemo(() => shown.map(({ id }) => id), [shown])
  // Nobody who chooses all means only those that are drawn so far.
  const matchingIds = useMemo(() => exportsOf(rest.lines).map(({ id }) => id), [rest.lines])
  const { tableRef, activeId, setActive, selection, onSelect, toggleAll, clear } = useRowSelection(shownIds)
  const { act, progress } = useAct({ onBackfill: setBackfilling, onDelete: clear })
  const selected = rows.filter(({ id }) => selection.ids.has(id))
  const hidden = selected.length - shown.filter(({ id }) => selection.ids.has(id)).length
  useListKeys({
    rows: shown,
    active: shown.find(({ id }) => id === activeId) ?? null,
    onActive: setActive,
    selected,
    onSelect,
    onClear: clear,
    onAct: act,
    tableRef,
    fieldRef,
    projectOf: (row) => projectParameter(row, projects),
  })
  return (
    <>
      {lines.length === 0 && rest.lines.length === 0 ? (
        filteredEmpty
      ) : (
        <ExportTable
          {...rest}
          tableRef={tableRef}
          lines={lines}
          selection={selection}
          onSelect={onSelect}
          matchingIds={matchingIds}
          onSelectAll={() => toggleAll(matchingIds)}
          activeId={activeId}
          onFocus={setActive}
          onAct={act}
        />
      )}
      {selected.length > 0 && (
        <SelectionBar rows={selected} hidden={hidden} progress={progress} onAct={act} onClear={clear} />
      )}
      <Suspense>
        {backfilling && <BackfillMany rows={backfilling} onClose={() => setBackfilling(null)} />}
        {report && <FailuresDialog report={report} onClose={() => reportFailures(null)} />}
      </Suspense>
    </>
  )
}
