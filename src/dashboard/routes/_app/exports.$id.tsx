import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ExportFacts } from '../../exports/page/export-facts.tsx'
import { ExportHeader } from '../../exports/page/export-header.tsx'
import { batchExportQuery } from '../../queries/batch-exports.ts'
import { TabLink } from '../../ui/tab-link.tsx'

export const Route = createFileRoute('/_app/exports/$id')({
  loader: ({ context: { queryClient, projectId }, params: { id } }) =>
    queryClient.ensureQueryData(batchExportQuery(projectId, id)),
  component: ExportPage,
})

function ExportPage() {
  const params = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, params.id))
  return (
    <>
      <ExportHeader batchExport={batchExport} />
      <ExportFacts batchExport={batchExport} />
      <nav aria-label="Views" className="mb-3.5 flex gap-4.5 border-b border-line">
        <TabLink to="/exports/$id" params={params} activeOptions={{ exact: true, includeSearch: false }}>
          Runs
        </TabLink>
        <TabLink to="/exports/$id/backfills" params={params}>
          Backfills
        </TabLink>
        <TabLink to="/exports/$id/logs" params={params}>
          Logs
        </TabLink>
        <TabLink to="/exports/$id/settings" params={params}>
          Settings
        </TabLink>
      </nav>
      <Outlet />
    </>
  )
}
