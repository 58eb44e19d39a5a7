import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Suspense,
  useDeferredValue,
  useMemo,
  useState,
  type ReactNode,
  type RefObject,
  type CSSProperties,
} from 'react'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { useAccount } from '../../account.ts'
import { ListView } from '../../ui/list/list-view.tsx'
import { useList, type ListDescription } from '../../ui/list/use-list.ts'
import { useBulkProgress } from '../../queries/bulk-actions.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { exportActions, type ExportContext } from './actions.ts'
import { exportsOf, nextSort, sortedAs, type ExportLine } from './arrange.ts'
import { type OpenedDialog, namedExports } from './requests.ts'
import { exportColumns, ShowsProjects } from './columns.tsx'
import { ServedAt } from './last-windows.tsx'
import { projectParameter, type Sort, type SortKey } from './list-search.ts'
import { destinationPlace } from '../../format/destination.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ListDialogs = lazyNamed(() => import('./list-dialogs.tsx'), 'ListDialogs')

const exportList: ListDescription<ExportOverview, ExportContext, SortKey> = {
  caption: 'Batch exports',
  noun: 'export',
  named: namedExports,
  actions: exportActions,
  paletteId: 'list',
  columns: exportColumns,
  rowHeight: 44,
  renderAllMax: 60,
}

const noLines: readonly ExportLine[] = []

type ExportListProps = {
  /** All exports, including those that the filters hide. */
  rows: readonly ExportOverview[]
  /** The exports that match the filters, and the group titles. */
  lines: readonly ExportLine[]
  /** The service's time (ISO 8601), at which the strips end. */
  at: string
  sort: Sort
  onSort: (sort: Sort) => void
  fieldRef: RefObject<HTMLInputElement | null>
  showsProjects: boolean
  /** Shown instead of the table if no export matches the filters. */
  filteredEmpty: ReactNode
}

/** Shows the list of exports, with its keys and the backfill dialog. */
export function ExportList(props: ExportListProps) {
  const { rows, at, sort, onSort, fieldRef, showsProjects, filteredEmpty } = props
  const { projectId, projects, scopes } = useAccount()
  const navigate = useNavigate()
  const [opened, open] = useState<OpenedDialog | null>(null)
  // Rendering the rows is deferred, so that typing and clicking stay responsive.
  const lines = useDeferredValue(props.lines, noLines)
  const list = useList({
    description: exportList,
    context: {
      client: useQueryClient(),
      navigate,
      projectOf: (row) => projectParameter(row, projects),
      open,
    },
    scopes,
    rows: useMemo(() => exportsOf(lines), [lines]),
    matching: useMemo(() => exportsOf(props.lines), [props.lines]),
    all: rows,
  })
  useListKeys(list, {
    '/': { does: 'Filter', run: () => fieldRef.current?.focus() },
    n: { does: 'New export', reason: writeReason(scopes), run: () => void navigate({ to: '/exports/new' }) },
  })
  const isEmpty = lines.length === 0 && props.lines.length === 0
  return (
    <ServedAt value={at}>
      <ShowsProjects value={showsProjects}>
        <div className="contents" style={useMemo(() => columnWidths(rows), [rows])}>
          <ListView
            list={list}
            lines={lines}
            sorting={{ orderOf: (key) => sortedAs(sort, key), onSort: (key) => onSort(nextSort(sort, key)) }}
            filteredEmpty={isEmpty ? filteredEmpty : null}
            progress={useBulkProgress(projectId, 'exports')}
          />
        </div>
      </ShowsProjects>
      <Suspense>{opened && <ListDialogs opened={opened} rows={rows} onClose={() => open(null)} />}</Suspense>
    </ServedAt>
  )
}

/** Texts longer than this do not widen their column. */
const lettersMax = 48

/** Returns the widths that names and destinations need, as variables, so that they share the room by their contents. */
function columnWidths(rows: readonly ExportOverview[]): CSSProperties {
  const longest = (texts: readonly string[]) =>
    Math.min(lettersMax, Math.max(12, ...texts.map(({ length }) => length)))
  return {
    '--name-width': `${longest(rows.map(({ name }) => name)) * 7 + 20}px`,
    '--place-width': `${longest(rows.map(({ destination }) => destinationPlace(destination))) * 7.5 + 20}px`,
  } as CSSProperties
}
