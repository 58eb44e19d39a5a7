import { useInfiniteQuery } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { changesQuery } from '../../queries/exports/changes.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { ChangeEntry } from '../history/change-entry.tsx'
import { HistorySkeleton } from '../history/history-skeleton.tsx'

/** Lists the changes to an export, newest first. */
export function ChangeHistory({ batchExport }: { batchExport: BatchExport }) {
  const { projectId } = useAccount()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    changesQuery(projectId, batchExport.id),
  )
  const changes = data?.pages.flatMap((page) => page.results)
  return (
    <section aria-labelledby="history" className="flex min-w-0 flex-col gap-3">
      <h2 id="history" className="border-b border-line pb-1 font-semibold">
        History
      </h2>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!changes && !error && <HistorySkeleton />}
      {changes?.length === 0 && (
        <p className="text-ink-2">
          Created <ShortTime time={batchExport.created_at} />. No changes since.
        </p>
      )}
      {changes && changes.length > 0 && (
        <ol className="flex flex-col gap-4">
          {changes.map((change) => (
            <ChangeEntry key={change.id} change={change} name={batchExport.name} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older changes
          </Button>
        </div>
      )}
    </section>
  )
}
