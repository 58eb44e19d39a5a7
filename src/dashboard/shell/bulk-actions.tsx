import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useAccount } from '../account.ts'
import { bulkActionsQuery, onBulkActionElsewhere, useBulkProjects } from '../queries/bulk-actions.ts'
import { invalidate } from '../queries/endpoint-query.ts'
import { lazyNamed } from '../ui/lazy-named.ts'

const BulkActionLines = lazyNamed(() => import('./bulk-action-lines.tsx'), 'BulkActionLines')

/** Shows the bulk actions of the service that are in progress or can be undone, on every page. */
export function BulkActions() {
  const { projectId } = useAccount()
  const client = useQueryClient()
  useEffect(() => onBulkActionElsewhere(() => void invalidate(client, 'listBulkActions')), [client])
  return (
    <section aria-label="Bulk actions" className="max-h-[50dvh] overflow-y-auto empty:hidden">
      {useBulkProjects(projectId).map((id) => (
        <BulkActionsOf key={id} projectId={id} />
      ))}
    </section>
  )
}

function BulkActionsOf({ projectId }: { projectId: string }) {
  const { data } = useQuery(bulkActionsQuery(projectId))
  if (!data || data.results.length === 0) return null
  return (
    <Suspense>
      <BulkActionLines projectId={projectId} recent={data.results} />
    </Suspense>
  )
}
