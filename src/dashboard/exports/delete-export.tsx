import type { BatchExport } from '../../contract/batch-export.ts'
import { useAccount } from '../account.ts'
import { useDeleteBatchExport } from '../queries/batch-exports.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/toasts.ts'

type DeleteExportProps = { batchExport: BatchExport; onClose: () => void; onDeleted?: () => void }

export function DeleteExport({ batchExport, onClose, onDeleted }: DeleteExportProps) {
  const { projectId } = useAccount()
  const remove = useDeleteBatchExport(projectId)
  const confirm = () =>
    remove.mutate(batchExport.id, {
      onSuccess: () => {
        toast(`Deleted ${batchExport.name}.`)
        onClose()
        onDeleted?.()
      },
    })
  return (
    <ConfirmDialog
      title={`Delete ${batchExport.name}?`}
      action="Delete"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      Nothing more is exported, its running runs and backfills are cancelled, and its history is no longer
      shown. Files that it wrote stay where they are.
    </ConfirmDialog>
  )
}
