import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useAccount } from '../../account.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import type { PageAction } from '../../ui/page-actions.ts'

type Performed = Record<
  'edit' | 'editLabels' | 'pause' | 'pauseUntil' | 'backfill' | 'repair' | 'clone' | 'showCurl' | 'delete',
  () => void
>

/** All actions on the export of a page, in the order of its menu. */
export function exportPageActions(
  batchExport: Pick<BatchExport, 'paused'>,
  scopes: readonly string[],
  run: Performed,
): PageAction[] {
  const { paused } = batchExport
  const edit = exportCan.edit(batchExport, scopes)
  return [
    { label: 'Edit', key: 'e', reason: edit, run: run.edit },
    { label: 'Edit tags, owner and note', key: 't', reason: edit, run: run.editLabels },
    {
      label: paused ? 'Unpause' : 'Pause',
      key: 'p',
      reason: exportCan[paused ? 'unpause' : 'pause'](batchExport, scopes),
      run: run.pause,
    },
    {
      label: paused ? 'Change the pause' : 'Pause until',
      menuLabel: paused ? 'Change the pause…' : 'Pause until…',
      reason: writeReason(scopes),
      run: run.pauseUntil,
    },
    {
      label: 'Backfill',
      menuLabel: 'Backfill…',
      key: 'b',
      reason: exportCan.backfill(batchExport, scopes),
      run: run.backfill,
    },
    { label: 'Plan a repair', menuLabel: 'Plan a repair…', run: run.repair },
    { label: 'Clone', key: 'd', reason: writeReason(scopes), run: run.clone },
    { label: 'Show as curl', menuLabel: 'Show as curl…', run: run.showCurl },
    { label: 'Delete', danger: true, reason: exportCan.delete(batchExport, scopes), run: run.delete },
  ]
}

/**
 * Returns a function that leaves the page of an export and deletes it after six seconds unless undone; the list can undo it
 * for five minutes more, and the history at any time.
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
