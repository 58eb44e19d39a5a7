import type { RecordingOrder } from '../../../contract/recording-filter.ts'
import { SelectAll } from '../../ui/list/select-all.tsx'
import type { Selection } from '../../ui/list/selection.ts'
import { SortButton } from '../../ui/list/sort-button.tsx'
import { cellClass, columnList } from './columns.ts'
import type { RecordingsSearch } from '../../queries/recordings-search.ts'

export type Sorting = Pick<RecordingsSearch, 'order' | 'order_direction'>

type TableHeadProps = {
  ids: readonly string[]
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  selection: Selection
  onSelectAll: () => void
}

/** The names of the columns, which sort the list, and the checkbox for all that is loaded. */
export function TableHead({ ids, sorting, onSort, selection, onSelectAll }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1} className="text-xs text-ink-3">
        {columnList.map(({ name, header, order, silent, className }) => (
          <th
            key={name}
            scope="col"
            aria-sort={order && sortedAs(sorting, order)}
            className={`sticky top-0 z-1 h-9 bg-bg font-medium ${cellClass(name)} ${className}`}
          >
            {name === 'select' && <SelectAll ids={ids} selection={selection} onSelectAll={onSelectAll} />}
            {name !== 'select' && silent && <span className="sr-only">{header}</span>}
            {!silent && !order && header}
            {order && (
              <SortButton
                header={header}
                short={header}
                order={sortedAs(sorting, order)}
                onClick={() => onSort(nextSorting(sorting, order))}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function sortedAs(sorting: Sorting, order: RecordingOrder): 'ascending' | 'descending' | undefined {
  if (sorting.order !== order) return undefined
  return sorting.order_direction === 'ASC' ? 'ascending' : 'descending'
}

/** One click sorts, the most or newest first; another turns it around. */
function nextSorting(sorting: Sorting, order: RecordingOrder): Sorting {
  const turned = sorting.order === order && sorting.order_direction === 'DESC'
  return { order, order_direction: turned ? 'ASC' : 'DESC' }
}
