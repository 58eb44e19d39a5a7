import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { personQuery } from '../../queries/recordings/persons.ts'
import { PersonPage } from '../../recordings/person/person-page.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { UnloadedPage } from '../../ui/list/unloaded-page.tsx'
import { date, oneOf, searchParams, text } from '../../format/search-params.ts'

export const Route = createFileRoute('/_app/persons/$id')({
  validateSearch: searchParams({
    /** The part below the days; the visits if omitted. */
    part: oneOf(['events', 'properties', 'exports']),
    /** Only the visits of this day, like 2026-01-31. */
    day: date,
    /** Only events of this name. */
    event: text,
  }),
  component: OnePerson,
})

function OnePerson() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { part, day, event } = Route.useSearch()
  const { data, error, refetch } = useQuery(personQuery(projectId, id))
  if (data) return <PersonPage key={id} id={id} person={data} view={{ part, day, event }} />
  return (
    <UnloadedPage
      title="Person"
      error={error}
      onRetry={() => void refetch()}
      missing={
        <EmptyState title="Person not found">
          <p>No person, event or recording has this id.</p>
          <Link to="/recordings" className="underline underline-offset-3">
            Recordings
          </Link>
        </EmptyState>
      }
    />
  )
}
