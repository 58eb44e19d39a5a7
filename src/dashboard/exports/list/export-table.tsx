import type { RefObject } from 'react'
import { windowAt } from '../../../contract/interval.ts'
import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { rowPieces } from '../../ui/list/row-pieces.ts'
import { useRowsNear } from '../../ui/list/use-rows-near.ts'
import { counted } from '../../words/amount.ts'
import type { Line } from './arrange.ts'
import { columnList } from './columns.ts'
import { ExportRow, projectParameter, type RowHandlers } from './export-row.tsx'
import type { Sort } from './list-search.ts'
import type { Selection } from '../../ui/list/selection.ts'
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
  /** Of all exports that the filters leave, those too that are not drawn yet. */
  matchingIds: readonly string[]
  onSelectAll: () => void
  /** The row that the keys act on; null before one has been chosen. */
  activeId: string | null
  showsProjects: boolean
}

/** The list of exports; of many it draws those that are near the window. */
export function ExportTable(props: ExportTableProps) {
  const { tableRef, lines, sort, onSort, selection, matchingIds, onSelectAll, activeId } = props
  const { first, last, measure } = useRowsNear(lines.length, rowHeight, wholeMax)
  const activeIndex = lines.findIndex((line) => line.key === activeId)
  // Tab reaches the first row until one has been chosen.
  const tabStop = activeIndex === -1 ? lines.find(({ kind }) => kind === 'export')?.key : activeId
  return (
    <div className="@container max-w-[1800px]">
      <table
        ref={tableRef}
        aria-rowcount={lines.length + 1}
        className="w-full table-fixed border-separate border-spacing-0"
      >
        <caption className="sr-only">Batch exports</caption>
        <TableHead
          ids={matchingIds}
          sort={sort}
          onSort={onSort}
          selection={selection}
          onSelectAll={onSelectAll}
        />
        <tbody ref={measure}>
          {rowPieces(lines.length, first, last, activeIndex).map((piece) => {
            if ('gap' in piece) return <Gap key={piece.gap} rows={piece.rows} />
            const { index } = piece
            const line = lines[index]
            if (!line) return null
            if (line.kind === 'group') return <GroupLine key={line.key} index={index} line={line} />
            const isTabStop = line.key === tabStop
            return <Row key={line.key} {...props} index={index} row={line.row} isTabStop={isTabStop} />
          })}
        </tbody>
      </table>
    </div>
  )
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

type GroupLineProps = { index: number; line: Extract<Line, { kind: 'group' }> }

function GroupLine({ index, line: { title, rows } }: GroupLineProps) {
  return (
    <tr aria-rowindex={index + 2} className="h-11">
      <th
        scope="rowgroup"
        colSpan={columnList.length}
        className="border-b border-line pt-3 pl-2 text-left font-medium"
      >
        {title} <span className="font-normal text-ink-3">{counted(rows.length, 'export')}</span>
      </th>
    </tr>
  )
}

/** The room of the rows that are not drawn. */
function Gap({ rows }: { rows: number }) {
  return <tr aria-hidden="true" style={{ height: rows * rowHeight }} />
}
