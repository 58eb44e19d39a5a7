import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { collectionQuery } from '../../queries/recordings/recording-collections.ts'
import { CollectionPage } from '../../recordings/collections/collection-page.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { UnloadedPage } from '../../ui/list/unloaded-page.tsx'

export const Route = createFileRoute('/_app/recordings/collections/$id')({
  component: OneCollection,
})

function OneCollection() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { data, error, refetch } = useQuery(collectionQuery(projectId, id))
  if (data) return <CollectionPage key={id} collection={data} />
  return (
    <UnloadedPage
      title="Collection"
      error={error}
      onRetry={() => void refetch()}
      missing={
        <EmptyState title="Collection not found">
          <p>It was deleted, or belongs to another project.</p>
          <Link to="/recordings/collections" className="underline underline-offset-3">
            Collections
          </Link>
        </EmptyState>
      }
    />
  )
}
