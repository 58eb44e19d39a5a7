import type { BatchExport } from '../../../contract/batch-export.ts'
import { useAccount } from '../../account.ts'
import { useDeleteBatchExport } from '../../queries/batch-exports.ts'
import { sendLater } from '../../ui/feedback/send-later.ts'

/** Returns a function that deletes an export after six seconds unless undone. */
export function useDeleteExport(): (batchExport: Pick<BatchExport, 'id' | 'name'>) => void {
  const { projectId } = useAccount()
  const { mutateAsync } = useDeleteBatchExport(projectId)
  return ({ id, name }) =>
    sendLater({
      verb: 'delete',
      on: [id],
      label: `Deleting ${name}`,
      failed: `${name} could not be deleted.`,
      send: () => mutateAsync(id),
      done: `Deleted ${name}. The files it wrote stay where they are.`,
    })
}
