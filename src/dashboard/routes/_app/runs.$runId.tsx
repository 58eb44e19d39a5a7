import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { RunDetails } from '../../exports/runs/run-details.tsx'
import { usePreferences } from '../../format/preferences.ts'
import { logsQuery } from '../../queries/exports/logs.ts'
import { standaloneRunQuery } from '../../queries/exports/runs.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { ParentLink } from '../../ui/text-link.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { useNow } from '../../ui/use-now.ts'
import { windowInWords, zoneName } from '../../format/time.ts'

export const Route = createFileRoute('/_app/runs/$runId')({
  loader: ({ context: { queryClient, projectId }, params: { runId } }) =>
    queryClient.ensureQueryData(standaloneRunQuery(projectId, runId)),
  component: RunPage,
})

function RunPage() {
  const { runId } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { zone } = usePreferences()
  const { data: run } = useSuspenseQuery(standaloneRunQuery(projectId, runId))
  const [start, end] = [Date.parse(run.data_interval_start), Date.parse(run.data_interval_end)]
  const window = useNow((now) => windowInWords({ start, end }, zone, now))
  return (
    <div className="max-w-240">
      <PageHeader
        title={`Run of ${window}`}
        parent={
          <ParentLink to="/exports/$id" params={{ id: run.batch_export }}>
            {run.batch_export_name}
          </ParentLink>
        }
        aside={<span className="text-ink-3">{zoneName(zone)} time</span>}
      >
        <PrintButton run={run} />
      </PageHeader>
      <div className="mt-4">
        <RunDetails run={run} />
      </div>
    </div>
  )
}

/**
 * Prints the page with all log lines of the run, including older ones, and replaces the browser's print shortcut. The browser's
 * print menu prints only the lines that are already loaded.
 */
function PrintButton({ run: { id: runId, batch_export: batchExportId } }: { run: BatchExportRun }) {
  const { projectId } = Route.useRouteContext()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const print = () => {
    setBusy(true)
    client
      .fetchInfiniteQuery({
        ...logsQuery({ projectId, batchExportId, runId }, {}),
        pages: Infinity,
        staleTime: 0,
      })
      // React Query notifies the page in an earlier timer, so the lines are rendered by then.
      .then(() => setTimeout(() => globalThis.print()), toastFailure('The logs could not be read.'))
      .finally(() => setBusy(false))
  }
  useKeys({
    'mod+p': {
      does: 'Print with all log lines',
      reason: busy ? 'The page is being prepared.' : null,
      run: print,
    },
  })
  return (
    <Button
      busy={busy}
      title="Includes all log lines. The browser’s print menu includes only the loaded ones."
      onClick={print}
    >
      Print
    </Button>
  )
}
