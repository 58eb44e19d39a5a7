import { sql } from 'kysely'
import { conflict } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { insertChange } from '../store/runs/changes-list.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { anyBatchExport } from '../store/runs/batch-exports.ts'
import { logExport } from './export-log.ts'
import { restoreRuns } from './restore-runs.ts'
import { writersOfSameFiles } from './same-files.ts'

type Deletion = {
  projectId: number
  id: string
  deletedAt: Date
  /** Label of the key that started the action. */
  actor: string
  /** Id of the change that deleted the export, if a user reverts it. */
  reverts?: string
}

/**
 * Restores a deleted export: its schedule continues where it stopped, and the runs that the deletion ended start over.
 * Returns false if the export has since been restored.
 * @throws ApiError 409 if another export now writes files with the same names.
 */
export async function undoDeletion(
  services: Pick<Services, 'clock'>,
  transaction: StoreTransaction,
  { projectId, id, deletedAt, actor, reverts }: Deletion,
): Promise<boolean> {
  const at = new Date(services.clock.now())
  await assertNamesFree(transaction, id)
  const restored = await sql`
    UPDATE batch_exports SET deleted_at = NULL, last_updated_at = ${at}
    WHERE id = ${id} AND project_id = ${projectId} AND deleted_at = ${deletedAt}
    RETURNING id`.execute(transaction)
  if (restored.rows.length === 0) return false
  await restoreRuns(services, transaction, { status: 'Terminated', at: deletedAt, batchExportId: id })
  await insertChange(transaction, { batchExportId: id, kind: 'restored', actor, at, fields: [], reverts })
  await logExport(transaction, id, `Restored by key '${actor}': the deletion was undone.`, at)
  return true
}

async function assertNamesFree(transaction: StoreTransaction, id: string): Promise<void> {
  const row = await anyBatchExport(transaction, id)
  if ((await writersOfSameFiles(transaction, row)).length > 0)
    throw conflict(
      'Another batch export now writes files with these names: change its destination, then undo the deletion.',
    )
}
