import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordingCan, type SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { downloadRecording } from '../../queries/recordings/recording-file.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { CollectDialog } from '../collect/collect-dialog.tsx'
import { useBackToList } from './back-to-list.tsx'

type MoreMenuProps = { recording: SessionRecording; name: string; list: string | undefined }

/** The rarer actions on a recording. */
export function MoreMenu({ recording, name, list }: MoreMenuProps) {
  const { id } = recording
  const [isCollecting, setIsCollecting] = useState(false)
  const { projectId, scopes } = useAccount()
  const { go: goBack } = useBackToList(list)
  const client = useQueryClient()
  const reason = recordingCan.change(scopes)
  const deleteIt = () => {
    sendLater({
      verb: 'delete',
      on: [id],
      label: `Deleting the recording of ${name}`,
      failed: `The recording of ${name} could not be deleted.`,
      send: () => startBulkAction(client, projectId, { action: 'delete_recordings', ids: [id] }),
    })
    goBack()
  }
  return (
    <>
      <Menu
        label="More actions"
        items={[
          { label: 'Add to collection…', onSelect: () => setIsCollecting(true), reason },
          { label: 'Download', onSelect: () => void downloadRecording(projectId, recording) },
          { label: 'Delete', onSelect: deleteIt, reason, danger: true },
        ]}
      />
      {isCollecting && <CollectDialog rows={[recording]} onClose={() => setIsCollecting(false)} />}
    </>
  )
}
