import { recordingCan, type SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { useKeepRecording } from '../../queries/recordings/recording.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'

/** Keeps a recording beyond its retention period. */
export function KeepButton({ recording: { id, storage } }: { recording: SessionRecording }) {
  const { projectId, scopes } = useAccount()
  const keep = useKeepRecording(projectId)
  const isKept = storage === 'object_storage_lts'
  const keepIt = () =>
    keep.mutate(id, {
      onSuccess: () => toast('Kept. It will not be deleted when its retention period ends.'),
      onError: toastFailure('The recording could not be kept.'),
    })
  return (
    <Button
      reason={recordingCan.change(scopes) ?? (isKept ? 'This recording is already kept.' : null)}
      busy={keep.isPending}
      onClick={keepIt}
    >
      {isKept ? 'Kept' : 'Keep'}
    </Button>
  )
}
