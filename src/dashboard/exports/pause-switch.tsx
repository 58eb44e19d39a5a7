import { exportCan, type BatchExport } from '../../contract/batch-export.ts'
import { useAccount } from '../account.ts'
import { useSetPaused } from '../queries/batch-exports.ts'
import { Switch } from '../ui/switch.tsx'
import { toast, toastFailure } from '../ui/toasts.ts'

/** On while an export runs by its schedule. */
export function PauseSwitch({ batchExport }: { batchExport: BatchExport }) {
  const { projectId, scopes } = useAccount()
  const { id, name, paused } = batchExport
  const reason = paused ? exportCan.unpause(batchExport, scopes) : exportCan.pause(batchExport, scopes)
  const setPaused = useSetPaused(projectId)
  const change = (next: boolean) =>
    setPaused.mutate(
      { id, paused: next },
      {
        onSuccess: () =>
          toast(`${next ? 'Paused' : 'Unpaused'} ${name}.`, {
            undo: () => setPaused.mutate({ id, paused: !next }),
          }),
        onError: toastFailure(`${name} could not be ${next ? 'paused' : 'unpaused'}.`),
      },
    )
  return (
    <Switch label={`${name}: run on schedule`} on={!paused} reason={reason} onChange={(on) => change(!on)} />
  )
}
