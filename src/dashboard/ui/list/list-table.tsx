import { useEffect } from 'react'
import { counted } from '../../words/amount.ts'
import { ListHead, type Sorting } from './list-head.tsx'
import { ListRow } from './list-row.tsx'
import type { List } from './use-list.ts'
import { useReturn } from './use-return.ts'
import { useVisibleRows } from './use-visible-rows.ts'

/** One line of a list: a row, or the title of a group. */
export type Line<Row> =
  | { kind: 'row'; key: string; row: Row }
  | { kind: 'group'; key: string; title: string; rows: readonly Row[] }

/** More rows are fetched when at most this number are left below the visible ones. */
const fetchAheadRows = 20

export type ListTableProps<Row, Context, Sort extends string> = {
  list: List<Row, Context, Sort>
  /** The list's rows and group titles; by default, only the rows. */
  lines?: readonly Line<Row>[]
  /** Number of rows on the service, loaded or not; null if the exact number is unknown. */
  total?: number | null
  sorting?: Sorting<Sort>
  /** The rows belong to another filter or order, while the current ones are fetched. */
  outdated?: boolean
  /** Fetches more rows; omitted if the service has no more. */
  onMore?: (() => void) | undefined
}

/** Shows a list's table. Of a long list, only the rows in or near the window are rendered. */
export function ListTable<Row extends { id: string }, Context, Sort extends string>(
  props: ListTableProps<Row, Context, Sort>,
) {
  const { list, lines = list.rows.map(lineOf), total = lines.length, sorting, outdated, onMore } = props
  const { description, rowList, tableRef, active, selection, allMatching } = list
  const { caption, noun, columns, rowHeight, renderAllMax, fitsContent } = description
  const { first, last, measure } = useVisibleRows(lines.length, rowHeight, onMore ? 0 : renderAllMax)
  const isNearEnd = lines.length - last <= fetchAheadRows
  useEffect(() => {
    if (isNearEnd) onMore?.()
  }, [isNearEnd, onMore])
  useReturn(lines.length, onMore)
  const activeIndex = active ? lines.findIndex(({ key }) => key === active.id) : -1
  // Until a row is active, Tab reaches the first one.
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
          {rowsAndSpacers(lines.length, first, last, activeIndex).map((item) => {
            if ('spacer' in item) return <Spacer key={item.spacer} height={item.rows * rowHeight} />
            const { index } = item
            const line = lines[index]
            if (!line) return null
            if (line.kind === 'row')
              return (
                <ListRow
                  key={line.key}
                  row={line.row}
                  index={index}
                  list={rowList}
                  selected={allMatching || selection.ids.has(line.row.id)}
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
                  <span className="font-normal text-ink-3">{counted(line.rows.length, noun)}</span>
                </th>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Takes the place of rows that are not rendered. With scroll anchoring, rows would scroll away when the spacer changes. */
function Spacer({ height }: { height: number }) {
  return <tr aria-hidden="true" className="[overflow-anchor:none]" style={{ height }} />
}

function lineOf<Row extends { id: string }>(row: Row): Line<Row> {
  return { kind: 'row', key: row.id, row }
}

/** A row of a long table by its index, or a spacer in place of rows that are not rendered. */
type RowOrSpacer = { index: number } | { spacer: string; rows: number }

/**
 * Returns the rows from `first` to `last`, with spacers for the others. The focused row (-1 for none) is always rendered:
 * scrolling it out of the document would lose the focus.
 */
function rowsAndSpacers(count: number, first: number, last: number, focused: number): RowOrSpacer[] {
  const visible = Array.from({ length: last - first + 1 }, (_, offset) => ({ index: first + offset }))
  const spacer = (from: number, to: number, name: string): RowOrSpacer[] => {
    if (focused < from || focused > to) return to < from ? [] : [{ spacer: name, rows: to - from + 1 }]
    return [
      ...spacer(from, focused - 1, `${name} 1`),
      { index: focused },
      ...spacer(focused + 1, to, `${name} 2`),
    ]
  }
  return [...spacer(0, first - 1, 'before'), ...visible, ...spacer(last + 1, count - 1, 'after')]
}
