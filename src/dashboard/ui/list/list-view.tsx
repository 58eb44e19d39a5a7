import type { ReactNode } from 'react'
import { ListTable, type ListTableProps } from './list-table.tsx'
import { SelectionBar } from './selection-bar.tsx'

type ListViewProps<Row, Context, Sort extends string> = ListTableProps<Row, Context, Sort> & {
  /** Shown instead of the table if no row matches the filters; null if any row matches. */
  filteredEmpty?: ReactNode
}

/** Shows a list's table, and the bar with the actions on its selection. */
export function ListView<Row extends { id: string }, Context, Sort extends string>({
  filteredEmpty = null,
  ...table
}: ListViewProps<Row, Context, Sort>) {
  return (
    <>
      {filteredEmpty ?? <ListTable {...table} />}
      {table.list.selected.length > 0 && <SelectionBar list={table.list} total={table.total ?? null} />}
    </>
  )
}
