import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { deleteCollection, useRenameCollection } from '../../queries/recordings/recording-collections.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { NameDialog } from './name-dialog.tsx'
import { ShareCollection } from './share-collection.tsx'

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
