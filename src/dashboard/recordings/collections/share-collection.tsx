import { useQuery } from '@tanstack/react-query'
import type { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { sharedRecordingsMax } from '../../../contract/recordings/sharing.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { useCollectionLinkChanges } from '../../queries/recordings/sharing.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { LinkList } from '../sharing/link-list.tsx'

type ShareCollectionProps = { collection: Pick<RecordingCollection, 'id' | 'name'>; onClose: () => void }

/** Shows how a collection is shared as one page. */
export function ShareCollection({ collection: { id, name }, onClose }: ShareCollectionProps) {
  const { projectId } = useAccount()
  const params = { project_id: projectId, collection_id: id }
  return (
    <Dialog title={`Share “${name}”`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-2">
          Anyone with a link can watch the recordings in this collection without an API key, on one page that
          shows the collection’s name and its newest {sharedRecordingsMax} recordings at that time.
        </p>
        <LinkList
          title="Links"
          query={useQuery(endpointQuery('listCollectionLinks', { params }))}
          changes={useCollectionLinkChanges(projectId, id)}
          create={{ label: 'New link' }}
          empty="This collection is not shared."
        />
      </div>
    </Dialog>
  )
}
