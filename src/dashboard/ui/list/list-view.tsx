import { lazy, Suspense, type ReactNode } from 'react'
import { reportFailures, useFailureReport } from '../feedback/failure-report.ts'
import { ListTable, type ListTableProps } from './list-table.tsx'
import { SelectionBar } from './selection-bar.tsx'

const FailuresDialog = lazy(() =>
  import('../feedback/failures-dialog.tsx').then((module) => ({ default: module.FailuresDialog })),
)

type ListViewProps<Row, Context, Sort extends string> = ListTableProps<Row, Context, Sort> & {
  /** Shown instead of the table if no row matches the filters; null if any row matches. */
  filteredEmpty?: ReactNode
}

/** Shows a list's table, the bar with the actions on its selection, and the report of failed requests. */
export function ListView<Row extends { id: string }, Context, Sort extends string>({
  filteredEmpty = null,
  ...table
}: ListViewProps<Row, Context, Sort>) {
  const report = useFailureReport()
  return (
    <>
      {filteredEmpty ?? <ListTable {...table} />}
      {table.list.selected.length > 0 && <SelectionBar list={table.list} total={table.total ?? null} />}
      <Suspense>{report && <FailuresDialog report={report} onClose={() => reportFailures(null)} />}</Suspense>
    </>
  )
}
