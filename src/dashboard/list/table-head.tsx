import { exportsOf, readSort, type Line } from './arrange.ts'
import { cellClass, columnList } from './columns.ts'
import type { Sort, SortKey } from './list-search.ts'
import type { Selection } from './selection.ts'

type TableHeadProps = {
  lines: readonly Line[]
  sort: Sort
  onSort: (sort: Sort) => void
  selection: Selection
  onSelectAll: () => void
}

/** The names of the columns, which sort the list, and the checkbox for all of it. */
export function TableHead({ lines, sort, onSort, selection, onSelectAll }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1} className="text-xs text-ink-3">
        {columnList.map(({ name, header, short, sort: key, mostFirst = false, silent, className }) => (
          <th
            key={name}
            scope="col"
            aria-sort={key && sortedAs(sort, key)}
            className={`sticky top-0 z-1 h-9 bg-bg font-medium ${cellClass(name)} ${className}`}
          >
            {name === 'select' && <SelectAll lines={lines} selection={selection} onSelectAll={onSelectAll} />}
            {name !== 'select' && silent && <span className="sr-only">{header}</span>}
            {key && (
              <SortButton
                header={header}
                short={short ?? header}
                order={sortedAs(sort, key)}
                onClick={() => onSort(nextSort(sort, key, mostFirst))}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type Order = 'ascending' | 'descending' | undefined

function sortedAs(sort: Sort, key: SortKey): Order {
  if (sort === 'newest') return undefined
  const { key: current, descending } = readSort(sort)
  if (current !== key) return undefined
  return descending ? 'descending' : 'ascending'
}

/** One click sorts, another turns it around, a third leaves it. */
function nextSort(sort: Sort, key: SortKey, mostFirst: boolean): Sort {
  const first = mostFirst ? (`-${key}` as const) : key
  const second = mostFirst ? key : (`-${key}` as const)
  if (sort === first) return second
  return sort === second ? 'newest' : first
}

type SortButtonProps = { header: string; short: string; order: Order; onClick: () => void }

function SortButton({ header, short, order, onClick }: SortButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
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

function SelectAll({
  lines,
  selection,
  onSelectAll,
}: Pick<TableHeadProps, 'lines' | 'selection' | 'onSelectAll'>) {
  const rows = exportsOf(lines)
  const chosen = rows.filter(({ id }) => selection.ids.has(id)).length
  return (
    <label className="-ml-2 flex h-9 items-center pl-2">
      <input
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < rows.length
        }}
        type="checkbox"
        aria-label="Select all that are shown"
        checked={rows.length > 0 && chosen === rows.length}
        onChange={onSelectAll}
      />
    </label>
  )
}
