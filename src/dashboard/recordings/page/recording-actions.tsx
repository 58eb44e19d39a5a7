import { useQueryClient } from '@tanstack/react-query'
import { recordingCan, type SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { useKeepRecording } from '../../queries/recording.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { sendLater } from '../../ui/feedback/send-later.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import type { useNeighbours } from './use-neighbours.ts'
import { useBackToList } from './back-to-list.tsx'

type RecordingActionsProps = {
  recording: SessionRecording
  name: string
  list: string | undefined
  neighbours: ReturnType<typeof useNeighbours>
}

/** The actions on a recording, and links to the previous and next one. */
export function RecordingActions({ recording, name, list, neighbours }: RecordingActionsProps) {
  const { projectId, scopes } = useAccount()
  const { go: goBack } = useBackToList(list)
  const keep = useKeepRecording(projectId)
  const client = useQueryClient()
  const { id, storage } = recording
  const reason = recordingCan.change(scopes)
  const isKept = storage === 'object_storage_lts'
  const keepIt = () =>
    keep.mutate(id, {
      onSuccess: () => toast('Kept. It will not be deleted when its retention period ends.'),
      onError: toastFailure('The recording could not be kept.'),
    })
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
  const { position, next, previous } = neighbours
  return (
    <>
      {position && (
        <span className="text-ink-3">
          {position.place} of {position.of}
        </span>
      )}
      <Button
        look="quiet"
        size="icon"
        aria-label="Previous recording"
        reason={previous.reason}
        onClick={previous.go}
      >
        <Icon name="left" />
      </Button>
      <Button look="quiet" size="icon" aria-label="Next recording" reason={next.reason} onClick={next.go}>
        <Icon name="right" />
      </Button>
      <Button
        reason={reason ?? (isKept ? 'This recording is already kept.' : null)}
        busy={keep.isPending}
        onClick={keepIt}
      >
        {isKept ? 'Kept' : 'Keep'}
      </Button>
      <Button look="danger" reason={reason} onClick={deleteIt}>
        Delete
      </Button>
    </>
  )
}
