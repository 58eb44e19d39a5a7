import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import type { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { useAccount } from '../../account.ts'
import { collectionsQuery } from '../../queries/recordings/recording-collections.ts'
import { matchingQuery } from '../../queries/recordings/recordings.ts'
import { CollectionMenu } from '../../recordings/collections/collection-menu.tsx'
import { NewCollection } from '../../recordings/collections/new-collection.tsx'
import { SharedBadge } from '../../recordings/facts/badges.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { useWaiting } from '../../ui/feedback/send-action.ts'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { Who } from '../../ui/who.tsx'
import { count } from '../../format/amount.ts'

// Without a loader, whose queries would be part of the first load.
export const Route = createFileRoute('/_app/recordings/collections/')({ component: CollectionsPage })

function CollectionsPage() {
  const { projectId } = Route.useRouteContext()
  const { data, error, refetch } = useQuery(collectionsQuery(projectId))
  return (
    <>
      <PageHeader title="Collections">
        <NewCollection query={null} />
      </PageHeader>
      <p className="mt-1 mb-3.5 max-w-160 text-ink-2">
        Recordings that belong together: chosen by hand, or all that match a rule.
      </p>
      <DataTable
        caption="Collections, by name"
        columns={columns}
        rows={data?.results}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No collections yet">
            <p>
              Select recordings in the list and choose “Add to collection”, or filter the list and choose
              “Save as collection”.
            </p>
            <TextLink to="/recordings">Recordings</TextLink>
          </EmptyState>
        }
      />
    </>
  )
}

const columns: readonly Column<RecordingCollection>[] = [
  { header: 'Name', cell: (collection) => <Name {...collection} />, fills: true },
  { header: 'Made', cell: ({ query }) => (query === null ? 'by hand' : 'by a rule') },
  { header: 'Recordings', cell: (collection) => <Count {...collection} />, end: true },
  { header: 'Created by', cell: ({ created_by }) => <Who name={created_by} />, hiddenBelow: 'md' },
  { header: 'Changed', cell: ({ updated_at }) => <RelativeTime time={updated_at} />, hiddenBelow: 'sm' },
  { header: 'Actions', cell: (collection) => <CollectionMenu collection={collection} />, silent: true },
]

function Name({ id, name, shared }: RecordingCollection) {
  const isDeleting = useWaiting(id) === 'delete'
  return (
    <span className="flex items-center gap-1.5">
      <Link
        to="/recordings/collections/$id"
        params={{ id }}
        className={`font-medium wrap-anywhere hover:underline ${isDeleting ? 'line-through opacity-50' : ''}`}
      >
        {name}
      </Link>
      {shared && <SharedBadge />}
    </span>
  )
}

/** The number of recordings; those of a rule are counted by the list. */
function Count({ id, recording_count: byHand }: RecordingCollection) {
  const { projectId } = useAccount()
  const { data } = useQuery({ ...matchingQuery(projectId, { collection: id }), enabled: byHand === null })
  if (byHand !== null) return count(byHand)
  return data ? `${data.count_is_estimate ? 'about ' : ''}${count(data.count)}` : null
}
