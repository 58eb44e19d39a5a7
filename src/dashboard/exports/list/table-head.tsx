import { readSort } from './arrange.ts'
import { cellClass, columnList } from './columns.ts'
import type { Sort, SortKey } from './list-search.ts'
import { SelectAll } from '../../ui/list/select-all.tsx'
import type { Selection } from '../../ui/list/selection.ts'
import { SortButton } from '../../ui/list/sort-button.tsx'

type TableHeadProps = {
  /** Of the exports that the checkbox selects. */
  ids: readonly string[]
  sort: Sort
  onSort: (sort: Sort) => void
  selection: Selection
  onSelectAll: () => void
}

/** The names of the columns, which sort the list, and the checkbox for all of it. */
export function TableHead({ ids, sort, onSort, selection, onSelectAll }: TableHeadProps) {
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
            {name === 'select' && <SelectAll ids={ids} selection={selection} onSelectAll={onSelectAll} />}
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
