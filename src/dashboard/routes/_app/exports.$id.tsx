import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { MainActionContext } from '../../exports/grid/main-action.ts'
import { ExportFacts } from '../../exports/page/export-facts.tsx'
import { ExportHeader } from '../../exports/page/export-header.tsx'
import { hasFailed } from '../../format/export-state.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { exportViews } from '../../shell/pages.ts'
import { TabLink } from '../../ui/tab-link.tsx'

/** Longest time (ms) that the page waits for what may not be shown. */
const overviewMsMax = 300

export const Route = createFileRoute('/_app/exports/$id')({
  loader: async ({ context: { queryClient, projectId }, params: { id } }) => {
    const overview = queryClient.ensureQueryData(overviewQuery({ projectId })).catch(() => undefined)
    const { latest_runs: runs } = await queryClient.ensureQueryData(batchExportQuery(projectId, id))
    // The note on a failing export would move the rest of the page.
    const isLate = new Promise((resolve) => setTimeout(resolve, overviewMsMax))
    if (runs.some(({ status }) => hasFailed(status))) await Promise.race([overview, isLate])
  },
  component: ExportPage,
})

function ExportPage() {
  const params = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, params.id))
  const [isMainActionInPanel, setMainActionInPanel] = useState(false)
  return (
    <MainActionContext value={setMainActionInPanel}>
      <ExportHeader batchExport={batchExport} hasMainAction={!isMainActionInPanel} />
      <ExportFacts batchExport={batchExport} />
      <nav aria-label="Views" className="mb-3.5 flex gap-4.5 border-b border-line">
        {exportViews.map(({ to, label }) => (
          <TabLink key={to} to={to} params={params} activeOptions={{ exact: true, includeSearch: false }}>
            {label}
          </TabLink>
        ))}
      </nav>
      <Outlet />
    </MainActionContext>
  )
}
