import { useQuery } from '@tanstack/react-query'
import type { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { sharedRecordingsMax } from '../../../contract/recordings/sharing.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { useCollectionLinkChanges } from '../../queries/recordings/recording-links.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { LinkList } from '../sharing/link-list.tsx'

type ShareCollectionProps = { collection: Pick<RecordingCollection, 'id' | 'name'>; onClose: () => void }

/** Shows how a collection is shared as one page. */
export function ShareCollection({ collection: { id, name }, onClose }: ShareCollectionProps) {
  const { projectId, scopes } = useAccount()
  const params = { project_id: projectId, collection_id: id }
  const { data, error, refetch } = useQuery(endpointQuery('listCollectionLinks', { params }))
  return (
    <Dialog title={`Share “${name}”`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-2">
          Anyone with a link can watch the recordings in this collection without an API key, on one page that
          shows the collection’s name and its newest {sharedRecordingsMax} recordings at that time.
        </p>
        <LinkList
          title="Links"
          links={data?.results.map((link) => ({ ...link, start: null, end: null }))}
          error={error}
          onRetry={() => void refetch()}
          changes={useCollectionLinkChanges(projectId, id)}
          create={{ label: 'New link' }}
          empty="This collection is not shared."
          at={undefined}
          reason={recordingCan.share(scopes)}
        />
      </div>
    </Dialog>
  )
}
