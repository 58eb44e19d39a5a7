import type { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { useAccount } from '../../account.ts'
import { useRevertChange } from '../../queries/exports/project-history.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { ChangedFields } from './changed-fields.tsx'

type RevertChangeProps = { change: BatchExportChange; name: string; onClose: () => void }

/** Shows what a revert changes, and asks for confirmation. */
export function RevertChange({ change, name, onClose }: RevertChangeProps) {
  const { projectId } = useAccount()
  const revert = useRevertChange(projectId)
  const { id, kind, fields } = change
  const isDeletion = kind === 'deleted'
  const backwards = fields
    .filter(({ secret }) => !secret)
    .map((field) => ({ ...field, before: field.after, after: field.before }))
  return (
    <ConfirmDialog
      title={isDeletion ? `Restore ${name}?` : `Revert this change of ${name}?`}
      action={isDeletion ? 'Restore' : 'Revert'}
      busy={revert.isPending}
      error={revert.error}
      onClose={onClose}
      onConfirm={() =>
        revert.mutate(id, {
          onSuccess: () => {
            toast(isDeletion ? `Restored ${name}, paused.` : `Reverted a change of ${name}.`)
            onClose()
          },
        })
      }
    >
      {isDeletion ? (
        <p>The export is paused since its deletion, so no window of that time runs unless you backfill it.</p>
      ) : (
        <div className="flex flex-col gap-3">
          <ChangedFields change={{ kind: 'updated', fields: backwards }} />
          {backwards.length < fields.length && <p>Secrets stay as they are now.</p>}
        </div>
      )}
    </ConfirmDialog>
  )
}
