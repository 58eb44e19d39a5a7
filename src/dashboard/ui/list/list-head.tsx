import { cellClass, type ListColumn, type Shape } from './list-column.ts'
import type { List } from './use-list.ts'

export type SortOrder = 'ascending' | 'descending' | undefined

/** A list's sort order, and the handler for clicks on a column header. */
export type Sorting<Sort> = { orderOf: (sort: Sort) => SortOrder; onSort: (sort: Sort) => void }

type HeadColumn<Sort extends string> = Omit<ListColumn<never, never, Sort>, 'cell'>
type ListHeadProps<Sort extends string> = {
  list: SelectAllProps & { description: { columns: readonly HeadColumn<Sort>[]; fitsContent?: boolean } }
  sorting: Sorting<Sort> | undefined
}

/** Shows the column headers, which sort the list, and the checkbox that selects all rows. */
export function ListHead<Sort extends string>({ list, sorting }: ListHeadProps<Sort>) {
  const { columns, fitsContent } = list.description
  const headClass = (column: Shape) =>
    `font-medium ${cellClass({ ...column, cellClassName: '' }, fitsContent)} ${fitsContent ? `h-9 ${column.className ?? ''}` : ''}`
  return (
    // A table that scrolls sideways is its own scroll container, in which a header cannot stick to the page.
    <thead className={fitsContent ? '' : 'sticky top-0 z-1 block bg-bg'}>
      <tr
        aria-rowindex={1}
        className={`text-xs text-ink-3 ${fitsContent ? '' : 'flex h-9 items-center border-b border-line'}`}
      >
        <th scope="col" className={headClass(selectColumn)}>
          <SelectAll {...list} />
        </th>
        {columns.map((column) => (
          <th
            key={column.header}
            scope="col"
            aria-sort={column.sort && sorting?.orderOf(column.sort)}
            className={headClass(column)}
          >
            <Header column={column} sorting={sorting} />
            {column.controls}
          </th>
        ))}
      </tr>
    </thead>
  )
}

export const selectColumn = { className: 'w-9' }

type HeaderProps<Sort extends string> = { column: HeadColumn<Sort>; sorting: Sorting<Sort> | undefined }

function Header<Sort extends string>({ column, sorting }: HeaderProps<Sort>) {
  const { header, short = header, sort, silent } = column
  if (silent) return <span className="sr-only">{header}</span>
  if (!sort || !sorting) return header
  const order = sorting.orderOf(sort)
  return (
    <button
      type="button"
      onClick={() => sorting.onSort(sort)}
      className={`-mx-1 inline-flex max-w-full items-center gap-1 rounded-sm px-1 py-1 hover:text-ink ${order ? 'text-ink' : ''}`}
    >
      <span className="truncate @max-[820px]:hidden">{header}</span>
      <span className="whitespace-nowrap @min-[820px]:hidden">{short}</span>
      {order && (
        <svg aria-hidden="true" width="7" height="6" viewBox="0 0 7 6" className="shrink-0 fill-current">
          <path d={order === 'ascending' ? 'M3.5 0L7 6H0z' : 'M0 0h7L3.5 6z'} />
        </svg>
      )}
    </button>
  )
}

type SelectAllProps = Pick<List<never, never>, 'selectedPart' | 'selectAll'>

function SelectAll({ selectedPart, selectAll }: SelectAllProps) {
  return (
    <label className="-ml-2 flex h-9 items-center pl-2">
      <input
        ref={(box) => {
          if (box) box.indeterminate = selectedPart === 'some'
        }}
        type="checkbox"
        aria-label="Select all shown"
        checked={selectedPart === 'all'}
        onChange={selectAll}
      />
    </label>
  )
}
