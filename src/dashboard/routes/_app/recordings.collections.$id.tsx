import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { addToCollection, removeFromCollection } from '../../queries/recordings/recording-collections.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ParentLink, TextLink } from '../../ui/text-link.tsx'
import { LoadedPage } from '../../ui/list/list-notes.tsx'
import { useMemo, useState } from 'react'
import type { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { namedRecordings } from '../../format/recording-name.ts'
import type { RecordingContext } from '../../recordings/list/actions.ts'
import { RecordingCount } from '../../recordings/filter/recording-count.tsx'
import { RecordingList, useOrderedRecordings } from '../../recordings/list/recording-list.tsx'
import { SummarizeAll } from '../../recordings/summary/summarize-all.tsx'
import { CollectionMenu, ShareCollection } from '../../recordings/collections/collection-menu.tsx'

export const Route = createFileRoute('/_app/recordings/collections/$id')({ component: OneCollection })

function OneCollection() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const params = { project_id: projectId, collection_id: id }
  return (
    <LoadedPage
      query={useQuery(endpointQuery('getRecordingCollection', { params }))}
      title="Collection"
      missing="It was deleted, or belongs to another project."
      parent={<TextLink to="/recordings/collections">Collections</TextLink>}
    >
      {(collection) => <CollectionPage key={id} collection={collection} />}
    </LoadedPage>
  )
}

/** Removes recordings from a collection made by hand; Undo adds them again. */
function removing({ id, name }: Pick<RecordingCollection, 'id' | 'name'>) {
  return {
    label: 'Remove from collection',
    clearsSelection: true,
    reason: (_, scopes) => recordingCan.change(scopes),
    perform: (rows, { client, projectId }) => {
      const ids = rows.map((row) => row.id)
      const undo = () =>
        void addToCollection(client, projectId, { id, ids }).catch(toastFailure('Not undone.'))
      return removeFromCollection(client, { projectId, id }, ids).then(
        () => toast(`Removed ${namedRecordings(rows)} from “${name}”.`, { undo }),
        toastFailure(`${namedRecordings(rows)} could not be removed.`),
      )
    },
  } satisfies ListAction<SessionRecording, RecordingContext>
}

/** The recordings of a collection. */
function CollectionPage({ collection }: { collection: RecordingCollection }) {
  const { id, name, query } = collection
  const { scopes } = useAccount()
  const [isSharing, setIsSharing] = useState(false)
  const navigate = useNavigate()
  const ordered = useOrderedRecordings(useMemo(() => ({ collection: id }), [id]))
  const { found } = ordered
  const byHand = useMemo(() => ({ remove: removing({ id, name }) }), [id, name])
  return (
    <>
      <PageHeader
        title={name}
        parent={<ParentLink to="/recordings/collections">Collections</ParentLink>}
        aside={<RecordingCount of={found.first} />}
      >
        {found.rows.length > 0 && <SummarizeAll filter={found.filter} />}
        <Button reason={recordingCan.seeSharing(scopes)} onClick={() => setIsSharing(true)}>
          Share
        </Button>
        <CollectionMenu
          collection={collection}
          onDelete={() => void navigate({ to: '/recordings/collections' })}
        />
      </PageHeader>
      {isSharing && <ShareCollection collection={collection} onClose={() => setIsSharing(false)} />}
      {query !== null && (
        <p className="mt-1 text-ink-2">
          All recordings that match{' '}
          <a href={`/recordings?${query}`} className="underline underline-offset-3">
            these filters
          </a>
          , now and later.
        </p>
      )}
      <RecordingList
        {...ordered}
        empty={
          <EmptyState title="No recordings in this collection">
            {query === null
              ? 'Select recordings in the list and choose “Add to collection”.'
              : 'No recordings match the rule.'}
          </EmptyState>
        }
        furtherActions={query === null ? byHand : undefined}
      />
    </>
  )
}
