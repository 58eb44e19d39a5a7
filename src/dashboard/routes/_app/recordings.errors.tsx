import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import type { ErrorCluster } from '../../../contract/error-cluster.ts'
import { errorClustersQuery } from '../../queries/recordings.ts'
import { ClusterSessions } from '../../recordings/errors/cluster-sessions.tsx'
import { useClusterColumns } from '../../recordings/errors/use-cluster-columns.tsx'
import { DataTable } from '../../ui/list/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { counted } from '../../words/amount.ts'

export const Route = createFileRoute('/_app/recordings/errors')({
  loader: ({ context: { queryClient, projectId } }) => {
    void queryClient.prefetchQuery(errorClustersQuery(projectId))
  },
  component: ErrorsPage,
})

function ErrorsPage() {
  const { projectId } = Route.useRouteContext()
  const { data, error, refetch } = useQuery(errorClustersQuery(projectId))
  const [opened, setOpened] = useState<ErrorCluster | null>(null)
  const columns = useClusterColumns(data?.results, setOpened)
  return (
    <>
      <PageHeader
        title="Errors"
        aside={
          data && (
            <output className="text-ink-3">
              {counted(data.results.length, 'kind of error', 'kinds of errors')}
            </output>
          )
        }
      />
      <p className="mt-1 mb-3.5 max-w-160 text-ink-2">
        Console errors and uncaught exceptions of recorded pages. Messages that differ only in numbers, ids,
        hosts and quoted values count as one kind; the most frequent kind comes first.
      </p>
      <DataTable
        caption="Errors"
        columns={columns}
        rows={data?.results}
        rowKey={({ cluster }) => String(cluster)}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No errors">
            <p>No recorded page has logged an error yet.</p>
          </EmptyState>
        }
        filteredEmpty={null}
      />
      {opened && <ClusterSessions cluster={opened} onClose={() => setOpened(null)} />}
    </>
  )
}
