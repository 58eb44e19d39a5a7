import { memo, useDeferredValue, type ReactNode } from 'react'
import { ListNotes, TableSkeleton, type ListNotesProps } from './list-notes.tsx'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** Aligns the column right, as for numbers. */
  end?: boolean
  /** Takes the remaining width and truncates its text. */
  grows?: boolean
  /** Takes the remaining width and wraps its text. */
  fills?: boolean
  /** Wraps its text in narrow windows. */
  wraps?: boolean
  /** Hides the column in windows narrower than `sm`, `md` or `lg`. */
  hiddenBelow?: 'sm' | 'md' | 'lg'
  /** Shows the header to screen readers only. */
  silent?: boolean
}

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The rows belong to another page or filter, while the current ones are fetched. */
  outdated?: boolean
}

type DataTableProps<Row> = Omit<TableProps<Row>, 'rows'> &
  Omit<ListNotesProps, 'count' | 'loading' | 'children'> & {
    /** undefined until the first rows are fetched; old rows stay while newer ones are fetched. */
    rows: readonly Row[] | undefined
  }

/** Shows a table in each of its states: loading, rows, empty, filtered-empty, failed, not permitted. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  // Rendering many rows is deferred, so that the page responds to clicks meanwhile.
  const rows = useDeferredValue(props.rows)
  return (
    <div className="flex flex-col gap-3">
      <ListNotes {...props} count={rows?.length} loading={<TableSkeleton />}>
        {rows && <Table {...props} rows={rows} />}
      </ListNotes>
    </div>
  )
}

const visibility = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' }

function classOf<Row>(column: Column<Row>): string {
  const { end, hiddenBelow } = column
  const hidden = hiddenBelow ? visibility[hiddenBelow] : ''
  return `pr-3 first:pl-2 last:pr-2 ${end ? 'text-right' : 'text-left'} ${widthOf(column)} ${hidden}`
}

function widthOf<Row>({ grows, fills, wraps }: Column<Row>): string {
  if (grows) return 'w-full max-w-0 truncate'
  if (fills) return 'w-full py-1.5'
  return `whitespace-nowrap ${wraps ? 'max-sm:py-1.5 max-sm:whitespace-normal' : ''}`
}

/** Shows rows that need not be fetched. */
export function Table<Row>({ caption, columns, rows, rowKey, outdated = false }: TableProps<Row>) {
  return (
    <div className="scroll-hint line-while-busy overflow-x-auto" aria-busy={outdated}>
      {outdated && (
        <span aria-hidden="true" className="appear-late absolute inset-x-0 top-[31px] h-0.5 bg-run" />
      )}
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="h-8 border-b border-line text-xs text-ink-3">
            {columns.map((column) => (
              <th key={column.header} scope="col" className={`font-medium ${classOf(column)}`}>
                {column.silent ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Renders again only if its row or the columns change. */
const TableRow = memo(OneRow) as typeof OneRow

function OneRow<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr className="h-10 border-b border-line hover:bg-hover">
      {columns.map((column) => (
        <td key={column.header} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}
