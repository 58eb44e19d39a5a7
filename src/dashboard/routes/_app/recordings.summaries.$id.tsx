import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { isStatus } from '../../api/problem.ts'
import { visitsSummaryQuery } from '../../queries/visits-summary.ts'
import { VisitsSummaryPage } from '../../recordings/summary/visits-summary-page.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'

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
    <>
      <title>Summary · Spool</title>
      <h1 className="sr-only">Summary</h1>
      {error && isStatus(error, 404) ? (
        <EmptyState title="There is no such summary">
          <p>It is older than 30 days, or belongs to another project.</p>
          <Link to="/recordings" className="underline underline-offset-3">
            Recordings
          </Link>
        </EmptyState>
      ) : error ? (
        <ListProblem error={error} onRetry={() => void refetch()} />
      ) : (
        <output className="appear-late text-ink-3">Loading…</output>
      )}
    </>
  )
}
