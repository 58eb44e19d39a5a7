import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { visitsSummaryQuery } from '../../queries/recordings/visits-summary.ts'
import { VisitsSummaryPage } from '../../recordings/summary/visits-summary-page.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { UnloadedPage } from '../../ui/list/unloaded-page.tsx'

// Without a loader, whose queries would be part of the first load.
export const Route = createFileRoute('/_app/recordings/summaries/$id')({
  component: SummaryPage,
})

function SummaryPage() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { data, error, refetch } = useQuery(visitsSummaryQuery(projectId, id))
  if (data) return <VisitsSummaryPage projectId={projectId} summary={data} />
  return (
    <UnloadedPage
      title="Summary"
      error={error}
      onRetry={() => void refetch()}
      missing={
        <EmptyState title="Summary not found">
          <p>It is older than 30 days, or belongs to another project.</p>
          <Link to="/recordings" className="underline underline-offset-3">
            Recordings
          </Link>
        </EmptyState>
      }
    />
  )
}
