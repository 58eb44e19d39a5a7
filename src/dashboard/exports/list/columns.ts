import { cellClassOf, type TableColumn } from '../../ui/list/table-column.ts'
import type { SortKey } from './list-search.ts'

type Column = TableColumn & {
  /** Where the header's whole text does not fit. */
  short?: string
  sort?: SortKey
  /** The first click sorts downwards: what is most matters most. */
  mostFirst?: boolean
}

/** The list's columns. */
const columns = {
  select: { header: 'Select', silent: true, className: 'w-9' },
  name: { header: 'Name', sort: 'name', className: '' },
  state: { header: 'State', sort: 'state', className: 'w-27 @max-[600px]:hidden' },
  windows: {
    header: 'Last 48 windows',
    short: 'Windows',
    sort: 'windows',
    mostFirst: true,
    className: 'w-[251px] @max-[820px]:w-[131px] @max-[480px]:w-[71px]',
  },
  rows: {
    header: 'Rows, 24 h',
    sort: 'rows',
    mostFirst: true,
    end: true,
    className: 'w-21 @max-[480px]:hidden',
  },
  course: { header: 'Rows by the hour', silent: true, className: 'w-15 @max-[940px]:hidden' },
  next: { header: 'Next run', sort: 'next', className: 'w-20 @max-[720px]:hidden' },
  destination: {
    header: 'Destination',
    sort: 'destination',
    className: 'w-[15%] @min-[1300px]:w-[33%] @max-[940px]:hidden',
  },
  actions: { header: 'Actions', silent: true, end: true, className: 'w-19' },
} as const satisfies Record<string, Column>

export type ColumnName = keyof typeof columns

/** The columns as the table's head goes through them. */
export const columnList: readonly (Column & { name: ColumnName })[] = Object.entries(columns).map(
  ([name, column]) => ({ name: name as ColumnName, ...column }),
)

/** The classes of a column's cells. */
export function cellClass(name: ColumnName): string {
  return cellClassOf(columns[name])
}
