import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ErrorCluster } from '../../../contract/error-cluster.ts'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { recordingsByIdQuery } from '../../queries/recordings.ts'
import { clockTime } from '../../words/clock.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { counted } from '../../words/amount.ts'
import { clusterFilters } from './cluster-filters.ts'
import { recordingName } from '../../words/recording-name.ts'

type ClusterSessionsProps = { cluster: ErrorCluster; onClose: () => void }

/** The newest recorded sessions with an error. */
export function ClusterSessions({ cluster, onClose }: ClusterSessionsProps) {
  const { projectId } = useAccount()
  const ids = cluster.session_ids
  const { data, error, refetch } = useQuery({
    ...recordingsByIdQuery(projectId, ids),
    enabled: ids.length > 0,
  })
  return (
    <Dialog title={cluster.pattern} kind="drawer" onClose={onClose}>
      <p className="mb-1 text-xs text-ink-3">The newest of {counted(cluster.occurrences, 'message')}</p>
      <pre className="mb-3 whitespace-pre-wrap wrap-anywhere">{cluster.sample}</pre>
      <ButtonLink to="/recordings" search={clusterFilters(cluster)}>
        All recordings with this error
      </ButtonLink>
      <div className="mt-3">
        <DataTable
          caption="Recordings with this error"
          columns={columns}
          rows={ids.length === 0 ? [] : data?.results}
          rowKey={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<EmptyState title="No sessions with this error were recorded" />}
          filteredEmpty={null}
        />
      </div>
    </Dialog>
  )
}

const columns: Column<SessionRecording>[] = [
  {
    header: 'Person',
    grows: true,
    cell: (row) => (
      <Link to="/recordings/$id" params={{ id: row.id }} className="hover:underline">
        {recordingName(row)}
      </Link>
    ),
  },
  { header: 'Started', cell: (row) => <RelativeTime time={row.start_time} /> },
  { header: 'Duration', end: true, cell: (row) => clockTime(row.recording_duration * 1000) },
  {
    header: 'Watched',
    hiddenBelow: 'sm',
    cell: (row) => (row.viewed === '' ? 'not yet' : <RelativeTime time={row.viewed} />),
  },
]
