import { useQueryClient } from '@tanstack/react-query'
import { recordingCan, type SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { downloadRecording } from '../../queries/recording-file.ts'
import { sendLater } from '../../ui/feedback/send-later.ts'
import { Menu } from '../../ui/menu.tsx'
import { useBackToList } from './back-to-list.tsx'

type MoreMenuProps = { recording: SessionRecording; name: string; list: string | undefined }

/** The rarer actions on a recording. */
export function MoreMenu({ recording, name, list }: MoreMenuProps) {
  const { id } = recording
  const { projectId, scopes } = useAccount()
  const { go: goBack } = useBackToList(list)
  const client = useQueryClient()
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
    <Menu
      label="More actions"
      items={[
        { label: 'Download', onSelect: () => void downloadRecording(projectId, recording) },
        { label: 'Delete', onSelect: deleteIt, reason: recordingCan.change(scopes), danger: true },
      ]}
    />
  )
}
