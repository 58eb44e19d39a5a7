import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { NewExport } from './list-notes.tsx'

/** Explains batch exports where there are none yet. */
export function NoExports({ reason }: { reason: string | null }) {
  return (
    <EmptyState title="No batch exports yet">
      <p>
        A batch export writes a project’s events or persons to a bucket or a folder, every five minutes, hour,
        day or week.
      </p>
      <ol className="list-decimal pl-5 text-left">
        <li>Say what is exported: a model, or columns of your own by a query.</li>
        <li>Say where it goes, and test the connection.</li>
        <li>
          Say how often. The first run starts when its first window has passed; a backfill exports earlier
          ones.
        </li>
      </ol>
      <NewExport reason={reason} />
    </EmptyState>
  )
}
