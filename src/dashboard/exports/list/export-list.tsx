import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useMemo, useState, type ReactNode, type RefObject } from 'react'
import { writeReason } from '../../../contract/batch-export-run.ts'
import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { ListView } from '../../ui/list/list-view.tsx'
import { useList, type ListDescription } from '../../ui/list/use-list.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { useCopyAsCurl } from '../settings/use-copy-as-curl.ts'
import { exportActions, type ExportContext } from './actions.ts'
import { exportsOf, nextSort, sortedAs, type ExportLine } from './arrange.ts'
import { exportColumns, projectParameter, ServedAt, ShowsProjects } from './columns.tsx'
import type { Sort, SortKey } from './list-search.ts'
import { namedExports } from './named-exports.ts'

const BackfillMany = lazy(() =>
  import('./backfill-many.tsx').then((module) => ({ default: module.BackfillMany })),
)

const exportList: ListDescription<ExportOverview, ExportContext, SortKey> = {
  caption: 'Batch exports',
  one: 'export',
  chooseFirst: 'Choose an export first, with j and k.',
  named: namedExports,
  actions: exportActions,
  paletteId: 'list',
  columns: exportColumns,
  rowHeight: 44,
  drawnWholeMax: 60,
}

const noLines: readonly ExportLine[] = []

type ExportListProps = {
  /** Every export, whatever the filters say. */
  rows: readonly ExportOverview[]
  /** The exports that match the filters, and the titles of their groups. */
  lines: readonly ExportLine[]
  /** The service's time, by which the strips end. */
  at: string
  sort: Sort
  onSort: (sort: Sort) => void
  fieldRef: RefObject<HTMLInputElement | null>
  showsProjects: boolean
  /** Shown instead of the table when the filters leave nothing. */
  filteredEmpty: ReactNode
}

/** The list of exports, with its keys and the dialog for a backfill. */
export function ExportList(props: ExportListProps) {
  const { rows, at, sort, onSort, fieldRef, showsProjects, filteredEmpty } = props
  const { projects, scopes } = useAccount()
  const navigate = useNavigate()
  const [backfilling, openBackfill] = useState<readonly ExportOverview[] | null>(null)
  // Typing and clicking go first, the rows follow piece by piece.
  const lines = useDeferredValue(props.lines, noLines)
  const list = useList({
    description: exportList,
    context: {
      client: useQueryClient(),
      navigate,
      projectOf: (row) => projectParameter(row, projects),
      copyAsCurl: useCopyAsCurl(),
      openBackfill,
    },
    scopes,
    rows: useMemo(() => exportsOf(lines), [lines]),
    matching: useMemo(() => exportsOf(props.lines), [props.lines]),
    all: rows,
  })
  useListKeys(list, {
    '/': { does: 'Filter', run: () => fieldRef.current?.focus() },
    n: {
      does: 'New export',
      reason: writeReason(scopes),
      run: () => void navigate({ to: '/exports/new' }),
    },
  })
  const isEmpty = lines.length === 0 && props.lines.length === 0
  return (
    <ServedAt value={at}>
      <ShowsProjects value={showsProjects}>
        <ListView
          list={list}
          lines={lines}
          sorting={{ orderOf: (key) => sortedAs(sort, key), onSort: (key) => onSort(nextSort(sort, key)) }}
          filteredEmpty={isEmpty ? filteredEmpty : null}
        />
      </ShowsProjects>
      <Suspense>
        {backfilling && <BackfillMany rows={backfilling} onClose={() => openBackfill(null)} />}
      </Suspense>
    </ServedAt>
  )
}
