import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { NewExport } from './new-export.tsx'

/** Explains batch exports if there are none yet. */
export function NoExports({ reason }: { reason: string | null }) {
  return (
    <EmptyState title="No batch exports yet">
      <p>
        A batch export writes a project’s events or persons to a bucket or folder every five minutes, hour,
        day or week.
      </p>
      <ol className="list-decimal pl-5 text-left">
        <li>Choose what to export: a model, or your own columns with a query.</li>
        <li>Choose the destination, and test the connection.</li>
        <li>
          Choose the interval. The first run starts when the first window ends; a backfill exports earlier
          windows.
        </li>
      </ol>
      <NewExport reason={reason} />
    </EmptyState>
  )
}
