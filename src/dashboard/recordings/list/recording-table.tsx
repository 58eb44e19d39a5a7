import { useEffect, type RefObject } from 'react'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { rowPieces } from '../../ui/list/row-pieces.ts'
import type { Selection } from '../../ui/list/selection.ts'
import { useRowsNear } from '../../ui/list/use-rows-near.ts'
import { RecordingRow, type RowHandlers } from './recording-row.tsx'
import { TableHead, type Sorting } from './table-head.tsx'

const rowHeight = 40
/** Up to so many rows all are on the page when these are all: it can be searched and printed whole. */
const wholeMax = 50
/** So many rows before the end, the next page is fetched. */
const ahead = 20

type RecordingTableProps = RowHandlers & {
  tableRef: RefObject<HTMLTableElement | null>
  rows: readonly SessionRecording[]
  /** How many there are on the service; null when that is not known exactly. */
  total: number | null
  list: string
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  selection: Selection
  onSelectAll: () => void
  /** The row that the keys act on; null before one has been chosen. */
  activeId: string | null
  /** The rows are those of another filter or order. */
  outdated: boolean
  /** Whether the service has more than these. */
  hasMore: boolean
  /** Fetches the next page. */
  onMore: () => void
}

/** The list of recordings, those near the window drawn; more are fetched as its end comes near. */
export function RecordingTable(props: RecordingTableProps) {
  const { tableRef, rows, total, list, sorting, onSort, selection, onSelectAll, activeId, outdated } = props
  const { hasMore, onMore } = props
  const { first, last, measure } = useRowsNear(rows.length, rowHeight, hasMore ? 0 : wholeMax)
  const isNearEnd = hasMore && rows.length - last <= ahead
  useEffect(() => {
    if (isNearEnd) onMore()
  }, [isNearEnd, onMore])
  const activeIndex = rows.findIndex(({ id }) => id === activeId)
  // Tab reaches the first row until one has been chosen.
  const tabStop = activeIndex === -1 ? 0 : activeIndex
  return (
    <div className="line-while-busy @container max-w-[1800px]" aria-busy={outdated}>
      <table
        ref={tableRef}
        aria-rowcount={total === null ? -1 : total + 1}
        className="w-full table-fixed border-separate border-spacing-0"
      >
        <caption className="sr-only">Recordings</caption>
        <TableHead
          ids={rows.map(({ id }) => id)}
          sorting={sorting}
          onSort={onSort}
          selection={selection}
          onSelectAll={onSelectAll}
        />
        <tbody ref={measure}>
          {rowPieces(rows.length, first, last, activeIndex).map((piece) => {
            if ('gap' in piece)
              return <tr key={piece.gap} aria-hidden="true" style={{ height: piece.rows * rowHeight }} />
            const row = rows[piece.index]
            if (!row) return null
            return (
              <RecordingRow
                key={row.id}
                row={row}
                index={piece.index}
                list={list}
                selected={selection.ids.has(row.id)}
                active={row.id === activeId}
                isTabStop={piece.index === tabStop}
                onSelect={props.onSelect}
                onFocus={props.onFocus}
                onAct={props.onAct}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
