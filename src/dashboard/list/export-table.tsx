import { useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useState, type ReactNode, type RefObject } from 'react'
import { windowAt } from '../../contract/interval.ts'
import type { ExportOverview } from '../../contract/overview.ts'
import { useAccount } from '../account.ts'
import { counted } from '../words/amount.ts'
import type { Line } from './arrange.ts'
import { columnList } from './columns.ts'
import { ExportRow, projectParameter, type RowHandlers } from './export-row.tsx'
import type { Sort } from './list-search.ts'
import type { Selection } from './selection.ts'
import { TableHead } from './table-head.tsx'

const rowHeight = 44
/** Up to so many lines all are on the page: it can be searched and printed whole. */
const wholeMax = 60

type ExportTableProps = RowHandlers & {
  tableRef: RefObject<HTMLTableElement | null>
  lines: readonly Line[]
  /** The service's time, by which the strips end. */
  at: string
  sort: Sort
  onSort: (sort: Sort) => void
  selection: Selection
  onSelectAll: () => void
  /** The row that the keys act on; null before one has been chosen. */
  activeId: string | null
  showsProjects: boolean
}

/** The list of exports; of many it draws those that are near the window. */
export function ExportTable(props: ExportTableProps) {
  const { tableRef, lines, sort, onSort, selection, onSelectAll, activeId } = props
  const activeIndex = lines.findIndex((line) => line.key === activeId)
  // Tab reaches the first row until one has been chosen.
  const tabStop = activeIndex === -1 ? lines.find(({ kind }) => kind === 'export')?.key : activeId
  const [top, setTop] = useState(0)
  const measureTop = useCallback((body: HTMLElement | null) => {
    if (body) setTop(body.getBoundingClientRect().top + scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled or memoized
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => rowHeight,
    overscan: lines.length <= wholeMax ? wholeMax : 8,
    scrollMargin: top,
    getItemKey: (index) => lines[index]?.key ?? index,
    rangeExtractor: (range) => withRow(range, activeIndex),
  })
  const items = virtual.getVirtualItems()
  const body: ReactNode[] = []
  let drawn = top
  for (const { index, key, start, end } of items) {
    const line = lines[index]
    if (!line) continue
    if (start > drawn) body.push(<Gap key={`before ${key}`} height={start - drawn} />)
    drawn = end
    body.push(
      line.kind === 'group' ? (
        <GroupLine key={key} index={index} title={line.title} size={line.rows.length} />
      ) : (
        <Row key={key} {...props} index={index} row={line.row} isTabStop={line.key === tabStop} />
      ),
    )
  }
  const rest = top + virtual.getTotalSize() - drawn
  if (rest > 0) body.push(<Gap key="rest" height={rest} />)
  return (
    <div className="@container">
      <table
        ref={tableRef}
        aria-rowcount={lines.length + 1}
        className="w-full table-fixed border-separate border-spacing-0"
      >
        <caption className="sr-only">Batch exports</caption>
        <TableHead
          lines={lines}
          sort={sort}
          onSort={onSort}
          selection={selection}
          onSelectAll={onSelectAll}
        />
        <tbody ref={measureTop}>{body}</tbody>
      </table>
    </div>
  )
}

/** The row with the focus stays on the page however far it is scrolled away, or the focus would be lost. */
function withRow({ startIndex, endIndex, overscan, count }: Range, row: number): number[] {
  const first = Math.max(0, startIndex - overscan)
  const last = Math.min(count - 1, endIndex + overscan)
  const near = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  if (row < 0 || row >= count || (row >= first && row <= last)) return near
  return row < first ? [row, ...near] : [...near, row]
}

type RowProps = ExportTableProps & { index: number; row: ExportOverview; isTabStop: boolean }

function Row(props: RowProps) {
  const { row, index, isTabStop, at, selection, activeId, showsProjects, onSelect, onFocus, onAct } = props
  const { projects } = useAccount()
  const end = windowAt(row.interval, Date.parse(at)).start
  return (
    <ExportRow
      row={row}
      index={index + 2}
      stripEnd={end}
      selected={selection.ids.has(row.id)}
      active={row.id === activeId}
      isTabStop={isTabStop}
      project={projectParameter(row, projects)}
      projectName={showsProjects ? (projects.find(({ id }) => id === row.team_id)?.name ?? null) : null}
      onSelect={onSelect}
      onFocus={onFocus}
      onAct={onAct}
    />
  )
}

function GroupLine({ index, title, size }: { index: number; title: string; size: number }) {
  return (
    <tr aria-rowindex={index + 2} className="h-11">
      <th
        scope="rowgroup"
        colSpan={columnList.length}
        className="border-b border-line pt-3 pl-2 text-left font-medium"
      >
        {title} <span className="font-normal text-ink-3">{counted(size, 'export')}</span>
      </th>
    </tr>
  )
}

/** The room of the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return <tr aria-hidden="true" style={{ height }} />
}
