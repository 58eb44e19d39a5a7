import { useInfiniteQuery } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/batch-export.ts'
import type { BatchExportChange, ChangeKind } from '../../../contract/batch-export-change.ts'
import { useAccount } from '../../account.ts'
import { changesQuery } from '../../queries/changes.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { RelativeTime, ShortTime } from '../../ui/time.tsx'
import { counted } from '../../words/amount.ts'
import { FieldChange } from './field-change.tsx'
import { byFormOrder, settingLabel } from './setting-words.ts'

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
      {!changes && !error && <Loading />}
      {changes?.length === 0 && (
        <p className="text-ink-2">
          Created <ShortTime time={batchExport.created_at} />. No changes since.
        </p>
      )}
      {changes && changes.length > 0 && (
        <ol className="flex flex-col gap-4">
          {changes.map((change) => (
            <Change key={change.id} change={change} />
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

const kindLabels: Record<ChangeKind, string> = {
  created: 'Created',
  cloned: 'Created as a copy',
  updated: 'Changed',
  paused: 'Paused',
  unpaused: 'Unpaused',
  deleted: 'Deleted',
  restored: 'Restored',
}

function Change({ change }: { change: BatchExportChange }) {
  const { kind, by, created_at: at, fields } = change
  const isNew = kind === 'created' || kind === 'cloned'
  const names =
    fields.length > 3
      ? counted(fields.length, 'setting')
      : fields.map(({ field }) => settingLabel(field)).join(', ')
  return (
    <li className="flex flex-col gap-1.5">
      <p className="flex flex-wrap gap-x-2">
        <span className="font-medium">
          {kindLabels[kind]}
          {kind === 'updated' && ` ${names}`}
        </span>
        <span className="text-ink-3">
          {by === null ? 'by the service' : <>by {by}</>}, <RelativeTime time={at} />
        </span>
      </p>
      {(kind === 'updated' || (kind === 'paused' && fields.length > 1)) && <Fields change={change} />}
      {isNew && fields.length > 0 && (
        <details>
          <summary className="w-fit rounded-sm text-ink-2">with {counted(fields.length, 'setting')}</summary>
          <div className="mt-1.5">
            <Fields change={change} />
          </div>
        </details>
      )}
    </li>
  )
}

function Fields({ change }: { change: BatchExportChange }) {
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline sm:grid-cols-[9.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 border-l-2 border-line pl-3">
      {change.fields.toSorted(byFormOrder).map((field) => (
        <div key={field.field} className="contents">
          <dt className="text-ink-3">{settingLabel(field.field)}</dt>
          <dd className={`min-w-0 wrap-anywhere ${field.field === 'hogql_query' ? 'max-sm:col-span-2' : ''}`}>
            <FieldChange change={field} isNew={change.kind !== 'updated'} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Loading() {
  return (
    <output aria-label="Loading the history" className="appear-late flex flex-col gap-2">
      <span className="h-3 w-60 rounded-sm bg-hover" />
      <span className="h-3 w-80 max-w-full rounded-sm bg-hover" />
    </output>
  )
}
