import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import type { Backfill } from '../../../contract/runs/batch-export-run.ts'
import { backfillCan } from '../../../contract/runs/run-status.ts'
import { useAccount } from '../../account.ts'
import { usePastRuns } from '../../exports/runs/run-progress.tsx'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { Button } from '../../ui/controls/button.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { CursorPager } from '../../ui/list/pager.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { Status } from '../../ui/status.tsx'
import { Elapsed, RelativeTime, WindowTime } from '../../ui/time.tsx'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { count } from '../../format/amount.ts'
import { useNow } from '../../ui/use-now.ts'
import { backfillTimeLeft, timeLeftInWords } from '../../format/time-left.ts'
import { backfillTone } from '../../format/run-status.ts'
import { searchParams, text } from '../../format/search-params.ts'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { live } from '../../queries/live.ts'
import { endpointQuery, keepRowsOf } from '../../queries/endpoint-query.ts'
import { useChange } from '../../queries/use-change.ts'
import { runEndpoints } from '../../queries/exports/overview.ts'

export const Route = createFileRoute('/_app/exports/$id/backfills')({
  validateSearch: searchParams({ cursor: text }),
  loaderDeps: ({ search: { cursor } }) => ({ cursor }),
  loader: ({ context: { queryClient, projectId }, params: { id }, deps: { cursor } }) => {
    void queryClient.prefetchQuery(backfillsQuery(projectId, id, cursor))
  },
  component: BackfillsTab,
})

function BackfillsTab() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { cursor } = Route.useSearch()
  const navigate = Route.useNavigate()
  const backfills = useQuery(backfillsQuery(projectId, id, cursor))
  return (
    <>
      <DataTable
        caption="Backfills, newest first"
        columns={columns}
        rows={backfills.data?.results}
        rowKey={(row) => row.id}
        outdated={backfills.isPlaceholderData}
        error={backfills.error}
        onRetry={() => void backfills.refetch()}
        empty={
          <EmptyState title="No backfills yet">
            <p>
              A backfill exports the windows of a range again, or windows from before the export was created.
            </p>
          </EmptyState>
        }
      />
      {backfills.data && (
        <CursorPager
          newer={backfills.data.previous}
          older={backfills.data.next}
          onChange={(next) => void navigate({ search: { cursor: next } })}
        />
      )}
    </>
  )
}

const columns: Column<Backfill>[] = [
  {
    header: 'Range',
    wraps: true,
    cell: (row) => (
      <>
        <Link
          to="/exports/$id"
          params={{ id: row.batch_export }}
          search={{ backfill: row.id }}
          title="Show the runs of this backfill"
          className="hover:underline"
        >
          <WindowTime start={row.start_at} end={row.end_at} />
        </Link>
        <span className="block text-xs sm:hidden">
          <Status tone={backfillTone(row.status)}>{row.status}</Status>
        </span>
      </>
    ),
  },
  {
    header: 'Status',
    hiddenBelow: 'sm',
    cell: ({ status }) => <Status tone={backfillTone(status)}>{status}</Status>,
  },
  {
    header: 'Runs finished',
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Progress
          share={row.progress.total_runs === 0 ? null : row.progress.finished_runs / row.progress.total_runs}
          label="Runs finished"
        />
        <span className="text-xs text-ink-3">
          {count(row.progress.finished_runs)} of {count(row.progress.total_runs)}
        </span>
        {row.finished_at === null && <BackfillTimeLeft backfill={row} />}
      </span>
    ),
  },
  { header: 'Started', hiddenBelow: 'md', cell: (row) => <RelativeTime time={row.created_at} /> },
  {
    header: 'Duration',
    hiddenBelow: 'md',
    cell: (row) => <Elapsed from={row.created_at} until={row.finished_at} />,
  },
  { header: 'Actions', silent: true, end: true, cell: (row) => <CancelBackfill backfill={row} /> },
]

function BackfillTimeLeft({ backfill }: { backfill: Backfill }) {
  const { projectId } = useAccount()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, backfill.batch_export))
  const { finished_runs: finished, total_runs: total } = backfill.progress
  const elapsed = useNow((now) => now - Date.parse(backfill.created_at))
  const left = backfillTimeLeft({ finished, total, elapsed }, usePastRuns(batchExport))
  if (left === null) return null
  return <span className="text-xs text-ink-3">{timeLeftInWords(left)}</span>
}

function CancelBackfill({ backfill }: { backfill: Backfill }) {
  const { projectId, scopes } = useAccount()
  const params = { project_id: projectId, batch_export_id: backfill.batch_export, id: backfill.id }
  const cancel = useChange(() => call('cancelBackfill', { params, body: {} }), runEndpoints)
  return (
    <Button
      look="quiet"
      busy={cancel.isPending}
      reason={backfillCan.cancel(backfill, scopes)}
      onClick={() =>
        cancel.mutate(undefined, {
          onSuccess: () => toast('The backfill and its remaining runs were cancelled.'),
          onError: toastFailure('The backfill could not be cancelled.'),
        })
      }
    >
      Cancel
    </Button>
  )
}

function backfillsQuery(projectId: string, batchExportId: string, cursor?: string) {
  const params = { project_id: projectId, batch_export_id: batchExportId }
  return {
    ...endpointQuery('listBackfills', { params, query: { cursor } }),
    placeholderData: keepRowsOf(params),
    ...live((list: ResponseOf<'listBackfills'>) =>
      list.results.some((backfill) => backfill.finished_at === null) ? 'running' : 'settled',
    ),
  }
}
