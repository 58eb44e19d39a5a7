import { useSuspenseQuery, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import { useDeleteExport } from '../../exports/page/page-actions.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { Configuration } from '../../exports/settings/configuration.tsx'
import { DownloadYaml } from '../../exports/curl/download-yaml.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { DialogButton } from '../../ui/controls/dialog-button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { ShortTime, RelativeTime } from '../../ui/time.tsx'
import { ChangeEntry, HistorySkeleton } from '../../exports/history/change-entry.tsx'
import { driftQuery, exportHistoryQuery } from '../../queries/exports/project-history.ts'
import { ChangedFields } from '../../exports/history/changed-fields.tsx'
import type { ReactNode } from 'react'
import { lazyNamed } from '../../ui/lazy-named.ts'

export const Route = createFileRoute('/_app/exports/$id/settings')({
  loader: ({ context: { queryClient, projectId }, params: { id } }) => {
    void queryClient.prefetchInfiniteQuery(exportHistoryQuery(projectId, id))
  },
  component: SettingsTab,
})

function SettingsTab() {
  const { id } = Route.useParams()
  const { projectId, scopes } = Route.useRouteContext()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const remove = useDeleteExport()
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <ButtonLink to="/exports/new" search={{ from: id }} reason={writeReason(scopes)}>
          Clone
        </ButtonLink>
        <DialogButton label="Show as curl">
          {(onClose) => <ExportCurl rows={[batchExport]} onClose={onClose} />}
        </DialogButton>
        <DownloadYaml fileName={`${batchExport.name}.yaml`} ids={[id]} />
        <Button
          look="danger"
          reason={exportCan.delete(batchExport, scopes)}
          onClick={() => remove(batchExport)}
        >
          Delete
        </Button>
      </div>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,40rem)_minmax(0,48rem)]">
        <Configuration batchExport={batchExport} />
        <div className="flex min-w-0 flex-col gap-8">
          {batchExport.applied && <DriftSection batchExport={batchExport} />}
          <ChangeHistory batchExport={batchExport} />
        </div>
      </div>
    </div>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <h2 id={id} className="border-b border-line pb-1 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Lists the changes to an export, newest first. */
function ChangeHistory({ batchExport }: { batchExport: BatchExport }) {
  const { projectId } = useAccount()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    exportHistoryQuery(projectId, batchExport.id),
  )
  const changes = data?.pages.flatMap((page) => page.results)
  return (
    <Part id="history" title="History">
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
    </Part>
  )
}

/** Shows when an export was applied from a file, and the settings that differ since. */
function DriftSection({ batchExport }: { batchExport: BatchExport }) {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery(driftQuery(projectId, batchExport.id))
  return (
    <Part id="drift" title="As code">
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
    </Part>
  )
}

const ExportCurl = lazyNamed(() => import('../../exports/curl/curl-dialogs.tsx'), 'ExportCurl')
