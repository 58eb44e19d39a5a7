import { useEffect } from 'react'
import { counted } from '../../words/amount.ts'
import { ListHead, type Sorting } from './list-head.tsx'
import { ListRow } from './list-row.tsx'
import { rowPieces } from './row-pieces.ts'
import type { List } from './use-list.ts'
import { useRowsNear } from './use-rows-near.ts'

/** One line of a list: a row, or the title of the group that begins there. */
export type Line<Row> =
  | { kind: 'row'; key: string; row: Row }
  | { kind: 'group'; key: string; title: string; rows: readonly Row[] }

/** The next rows are fetched when this many are left below the window. */
const fetchAhead = 20

export type ListTableProps<Row, Context, Sort extends string> = {
  list: List<Row, Context, Sort>
  /** The list's rows with the titles of their groups; the rows alone by default. */
  lines?: readonly Line<Row>[]
  /** How many rows the service has, loaded or not; null when that is not known exactly. */
  total?: number | null
  sorting?: Sorting<Sort>
  /** The rows are those of another filter or order, while the right ones are fetched. */
  outdated?: boolean
  /** Fetches more rows; absent when the service has no more. */
  onMore?: (() => void) | undefined
}

/** The table of a list; of many rows it draws those near the window. */
export function ListTable<Row extends { id: string }, Context, Sort extends string>(
  props: ListTableProps<Row, Context, Sort>,
) {
  const { list, lines = list.rows.map(lineOf), total = lines.length, sorting, outdated, onMore } = props
  const { description, rowList, tableRef, active, selection } = list
  const { caption, one, columns, rowHeight, drawnWholeMax, fitsContent } = description
  const { first, last, measure } = useRowsNear(lines.length, rowHeight, onMore ? 0 : drawnWholeMax)
  const isNearEnd = lines.length - last <= fetchAhead
  useEffect(() => {
    if (isNearEnd) onMore?.()
  }, [isNearEnd, onMore])
  const activeIndex = active ? lines.findIndex(({ key }) => key === active.id) : -1
  // Tab reaches the first row until one has been chosen.
  const tabStop = lines[activeIndex] ?? lines.find(({ kind }) => kind === 'row')
  return (
    <div
      className={`line-while-busy @container ${fitsContent ? 'scroll-hint overflow-x-auto' : 'max-w-[1800px]'}`}
      aria-busy={outdated}
    >
      <table
        ref={tableRef}
        aria-rowcount={total === null ? -1 : total + 1}
        className={`w-full border-separate border-spacing-0 ${fitsContent ? '' : 'table-fixed'}`}
      >
        <caption className="sr-only">{caption}</caption>
        <ListHead list={list} sorting={sorting} />
        <tbody ref={measure}>
          {rowPieces(lines.length, first, last, activeIndex).map((piece) => {
            if ('gap' in piece)
              return <tr key={piece.gap} aria-hidden="true" style={{ height: piece.rows * rowHeight }} />
            const { index } = piece
            const line = lines[index]
            if (!line) return null
            if (line.kind === 'row')
              return (
                <ListRow
                  key={line.key}
                  row={line.row}
                  index={index}
                  list={rowList}
                  selected={selection.ids.has(line.row.id)}
                  active={line.key === active?.id}
                  isTabStop={line === tabStop}
                />
              )
            return (
              <tr key={line.key} aria-rowindex={index + 2} style={{ height: rowHeight }}>
                <th
                  scope="rowgroup"
                  colSpan={columns.length + 1}
                  className="border-b border-line pt-3 pl-2 text-left font-medium"
                >
                  {line.title}{' '}
                  <span className="font-normal text-ink-3">{counted(line.rows.length, one)}</span>
                </th>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function lineOf<Row extends { id: string }>(row: Row): Line<Row> {
  return { kind: 'row', key: row.id, row }
}
