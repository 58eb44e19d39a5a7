import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { recordingCan, sharedRecordingsMax } from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { deleteCollection, useRenameCollection } from '../../queries/recordings/recording-collections.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { NameDialog } from './new-collection.tsx'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { useCollectionLinkChanges } from '../../queries/recordings/sharing.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { LinkList } from '../sharing/link-list.tsx'

type CollectionMenuProps = { collection: RecordingCollection; onDelete?: () => void }

/** Shares, renames or deletes a collection; its recordings stay. */
export function CollectionMenu({ collection: { id, name }, onDelete }: CollectionMenuProps) {
  const { projectId, scopes } = useAccount()
  const client = useQueryClient()
  const rename = useRenameCollection(projectId, id)
  const [isRenaming, setIsRenaming] = useState(false)
  const [isSharing, setIsSharing] = useState(false)
  const reason = recordingCan.change(scopes)
  const deleteIt = () => {
    sendLater({
      verb: 'delete',
      on: [id],
      label: `Deleting the collection “${name}”`,
      failed: `The collection “${name}” could not be deleted.`,
      send: () => deleteCollection(client, projectId, id),
    })
    onDelete?.()
  }
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        items={[
          { label: 'Share…', onSelect: () => setIsSharing(true), reason: recordingCan.seeSharing(scopes) },
          { label: 'Rename…', onSelect: () => setIsRenaming(true), reason },
          { label: 'Delete', onSelect: deleteIt, reason, danger: true },
        ]}
      />
      {isSharing && <ShareCollection collection={{ id, name }} onClose={() => setIsSharing(false)} />}
      {isRenaming && (
        <NameDialog
          title="Rename collection"
          name={name}
          action="Rename"
          saving={rename}
          onSave={(next) => rename.mutate(next, { onSuccess: () => setIsRenaming(false) })}
          onClose={() => setIsRenaming(false)}
        />
      )}
    </>
  )
}

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
