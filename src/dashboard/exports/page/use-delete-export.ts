import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'

/**
 * Returns a function that leaves the page of an export and deletes it after six seconds unless undone; the service can undo it for
 * five minutes more.
 */
export function useDeleteExport(): (batchExport: Pick<BatchExport, 'id' | 'name'>) => void {
  const { projectId } = useAccount()
  const client = useQueryClient()
  const navigate = useNavigate()
  return ({ id, name }) => {
    sendLater({
      verb: 'delete',
      on: [id],
      label: `Deleting ${name}`,
      failed: `${name} could not be deleted.`,
      send: () => startBulkAction(client, projectId, { action: 'delete_batch_exports', ids: [id] }),
      done: `Deleting ${name}. The files it wrote stay where they are.`,
    })
    void navigate({ to: '/exports' })
  }
}
