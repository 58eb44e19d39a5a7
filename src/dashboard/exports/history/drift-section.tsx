import { useQuery } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { driftQuery } from '../../queries/exports/project-history.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { ChangedFields } from './changed-fields.tsx'
import { HistorySkeleton } from './history-skeleton.tsx'

/** Shows when an export was applied from a file, and the settings that differ since. */
export function DriftSection({ batchExport }: { batchExport: BatchExport }) {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery(driftQuery(projectId, batchExport.id))
  return (
    <section aria-labelledby="drift" className="flex min-w-0 flex-col gap-3">
      <h2 id="drift" className="border-b border-line pb-1 font-semibold">
        As code
      </h2>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <HistorySkeleton />}
      {data?.applied && (
        <p className="text-ink-2 wrap-anywhere">
          Applied{data.applied.source !== null && ` from ${data.applied.source}`} by {data.applied.by},{' '}
          <RelativeTime time={data.applied.at} />.{' '}
          {data.fields.length === 0
            ? 'The settings are still those of the file.'
            : 'Changed since; applying the file again restores its settings:'}
        </p>
      )}
      {data && data.fields.length > 0 && <ChangedFields change={{ kind: 'updated', fields: data.fields }} />}
    </section>
  )
}
