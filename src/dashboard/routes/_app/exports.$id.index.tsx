import { useQuery } from '@tanstack/react-query'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { runStatuses, type RunStatus } from '../../../contract/batch-export-run.ts'
import { runColumns } from '../../exports/run-columns.tsx'
import { runsQuery } from '../../queries/runs.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CursorPager } from '../../ui/pager.tsx'
import { SelectChip } from '../../ui/select-chip.tsx'
import { runStatusInWords } from '../../words/run-status.ts'

const RunDrawer = lazy(() =>
  import('../../exports/run-drawer.tsx').then((module) => ({ default: module.RunDrawer })),
)

const defaults = { status: 'any' } as const

export const Route = createFileRoute('/_app/exports/$id/')({
  validateSearch: z.object({
    cursor: z.string().optional().catch(undefined),
    status: z
      .enum(['any', 'failed', 'running', ...runStatuses])
      .catch(defaults.status)
      .default(defaults.status),
    run: z.string().optional().catch(undefined),
  }),
  search: { middlewares: [stripSearchParams(defaults)] },
  loaderDeps: ({ search: { cursor, status } }) => ({ cursor, status: statusesOf(status) }),
  loader: ({ context: { queryClient, projectId }, params: { id }, deps }) => {
    void queryClient.prefetchQuery(runsQuery(projectId, id, deps))
  },
  component: RunsTab,
})

function statusesOf(choice: string): RunStatus[] | undefined {
  if (choice === 'failed') return ['Failed', 'TimedOut']
  if (choice === 'running') return ['Starting', 'Running', 'FailedRetryable']
  const status = runStatuses.find((candidate) => candidate === choice)
  return status && [status]
}

const choices = [
  ['any', 'any'],
  ['failed', 'failed or timed out'],
  ['running', 'in progress'],
  ...runStatuses.map((status) => [status, runStatusInWords(status).label] as const),
] as const

function RunsTab() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { cursor, status, run } = Route.useSearch()
  const navigate = Route.useNavigate()
  const runs = useQuery(runsQuery(projectId, id, { cursor, status: statusesOf(status) }))
  const change = (part: { cursor?: string | undefined; status?: typeof status; run?: string | undefined }) =>
    void navigate({
      search: (now) => ({ ...now, ...part }),
      resetScroll: 'cursor' in part && !('status' in part),
    })
  const open = (opened: string) => change({ run: opened })
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <SelectChip
          label="Status"
          value={status}
          choices={choices}
          onChange={(next) => change({ status: next, cursor: undefined })}
        />
      </div>
      <DataTable
        caption="Runs, newest first"
        columns={runColumns(open)}
        rows={runs.data?.results}
        rowKey={(row) => row.id}
        outdated={runs.isPlaceholderData}
        error={runs.error}
        onRetry={() => void runs.refetch()}
        empty={
          <EmptyState title="No runs yet">
            <p>
              The first one starts when the current window has passed. A backfill exports earlier windows.
            </p>
          </EmptyState>
        }
        filteredEmpty={
          status === 'any' ? null : (
            <EmptyState title="No run has this status">
              <Button onClick={() => change({ status: 'any', cursor: undefined })}>Show all runs</Button>
            </EmptyState>
          )
        }
      />
      {runs.data && (
        <CursorPager
          newer={runs.data.previous}
          older={runs.data.next}
          onChange={(next) => change({ cursor: next })}
        />
      )}
      <Suspense>
        {run && (
          <RunDrawer key={run} batchExportId={id} runId={run} onClose={() => change({ run: undefined })} />
        )}
      </Suspense>
    </>
  )
}
